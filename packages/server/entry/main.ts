/**
 * The entry of `npm start`; what lies in `src` under this name links to it. An older Node stops at
 * the extension `.ts` of a module, with a stack that helps nobody. In CommonJS, which this folder
 * is by its `package.json`, it reads the file as JavaScript: so there is no type in it.
 */
require('./node-version.cjs')

const isNpmStart = process.env.npm_lifecycle_event === 'start'

void (async () => {
  // Other parents may start a service that outlives them.
  if (isNpmStart) (await import('../src/threads/parent-watch.ts')).endWithParent()
  const { startService } = await import('../src/threads/start.ts')
  await startService(process.argv.slice(2), process.env, 'npm start --')
})()
