import { startService } from './threads/start.ts'

await startService(process.argv.slice(2), process.env, 'npm start --')
