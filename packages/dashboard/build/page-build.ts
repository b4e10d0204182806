import type { BuildOptions } from 'vite'

/** How the pages that the service hands out are built. */
export const PAGE_BUILD = {
  target: 'es2023',
  cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  // Data addresses would be allowed for pictures only.
  assetsInlineLimit: 0,
  manifest: 'manifest.json',
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
} satisfies BuildOptions
