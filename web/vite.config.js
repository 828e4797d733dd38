import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// A running stack (`npm start`) that the development server takes the API from.
const stack = process.env.TAUTAN_URL ?? 'http://localhost:8080';

export default defineConfig({
  base: '/app/',
  plugins: [react()],
  build: {
    outDir: 'dist/app',
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Data addresses would need a wider content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    // The gateway accepts changes only from its own origin.
    proxy: { '/api': { target: stack, headers: { origin: new URL(stack).origin } } },
  },
});
