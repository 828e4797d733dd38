import Koa from 'koa';
import mongoose, { Schema } from 'mongoose';

/**
 * The baseline for creating links: a bare Koa route that inserts one document with Mongoose. It uses the same database
 * server as Tautan.
 */
const connection = await mongoose
  .createConnection(process.env['MONGODB_URI']!, { dbName: process.env['DATABASE']! })
  .asPromise();
const schema = new Schema(
  { slug: { type: String, unique: true }, url: { type: String, required: true }, title: String, createdAt: Date },
  { versionKey: false },
);
const model = connection.model('links', schema, 'links');
await model.init();

const app = new Koa();
app.use(async (ctx) => {
  let text = '';
  for await (const chunk of ctx.req) text += String(chunk);
  const { url, title } = JSON.parse(text) as { url: string; title: string };
  const slug = Math.random().toString(36).slice(2);
  ctx.status = 201;
  ctx.body = { data: await model.create({ slug, url, title, createdAt: new Date() }) };
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ ports: { http: (server.address() as { port: number }).port } });
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
