import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Address of a running stack (`npm start`), to which the development server forwards API requests.
const stack = process.env.TAUTAN_URL ?? 'http://localhost:8080';

export default defineConfig({
  base: '/app/',
  plugins: [react()],
  build: {
    outDir: 'dist/app',
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy allows data URLs only for images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    // The gateway rejects state-changing requests from other origins.
    proxy: { '/api': { target: stack, headers: { origin: new URL(stack).origin } } },
  },
});
