import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildFolder, REPOSITORY } from './built-folder.ts'

const SITE = join(REPOSITORY, 'docs/.vitepress')
const SOURCES = [
  'docs/{*,decisions/*,formats/*}.md',
  'docs/pictures/*',
  'docs/.vitepress/*.ts',
  'docs/.vitepress/theme/*',
  'packages/dashboard/build/{built-folder,build-docs,page-build,theme}.*',
]

/**
 * The site of docs/, with the sections that its search is made of. Runs in a separate process: the
 * generator writes to the terminal, and its types bring those of browsers.
 *
 * @returns whether something was built
 */
export async function buildDocs(): Promise<boolean> {
  return await buildFolder(join(SITE, 'dist'), SOURCES, async (folder) => {
    // Where it is not installed this says so, as an import would.
    import.meta.resolve('vitepress')
    await promisify(execFile)(process.execPath, [join(SITE, 'build.ts'), folder])
  })
}
