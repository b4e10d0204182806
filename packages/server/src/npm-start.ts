import { endWithParent } from './threads/parent-watch.ts'
import { startService } from './threads/start.ts'

// Other parents may start a service that outlives them.
if (process.env['npm_lifecycle_event'] === 'start') endWithParent()
await startService(process.argv.slice(2), process.env, 'npm start --')
