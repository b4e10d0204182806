/**
 * The entry of `npm start`; the file of this name in `src` links to it. An older Node fails at the
 * extension `.ts` of a module with an unhelpful stack. In CommonJS, which the `package.json` of
 * this folder selects, it reads the file as JavaScript, so the file contains no types.
 */
require('./node-version.cjs')

const isNpmStart = process.env.npm_lifecycle_event === 'start'

void (async () => {
  // Other parents may start a service that outlives them.
  if (isNpmStart) (await import('../src/threads/parent-watch.ts')).endWithParent()
  const { startService } = await import('../src/threads/start.ts')
  await startService(process.argv.slice(2), process.env, 'npm start --')
})()
