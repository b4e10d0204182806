import { join } from 'node:path'
import { buildFolder, REPOSITORY } from './built-folder.ts'

const DASHBOARD = join(REPOSITORY, 'packages/dashboard')
/** What the build reads, as patterns from the root. */
const SOURCES = [
  'packages/dashboard/src/**/*',
  'packages/dashboard/build/{built-folder,build-dashboard,page-build,vite-config,theme}.*',
  'packages/dashboard/{index.html,package.json}',
  'packages/{client,configuration,contract,import}/src/**/*.ts',
]

/** @returns whether something was built */
export async function buildDashboard(): Promise<boolean> {
  return await buildFolder(join(DASHBOARD, 'dist'), SOURCES, async (folder) => {
    const [{ build }, { viteConfig }] = await Promise.all([
      import('vite'),
      import('./vite-config.ts'),
    ])
    const config = viteConfig()
    await build({
      ...config,
      logLevel: 'warn',
      build: { ...config.build, outDir: folder, emptyOutDir: true },
    })
  })
}
