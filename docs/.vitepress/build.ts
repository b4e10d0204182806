import { build } from 'vitepress'

/** `node docs/.vitepress/build.ts FOLDER` builds the site into a folder. */
const [outDir = ''] = process.argv.slice(2)
await build(`${import.meta.dirname}/..`, { outDir })
