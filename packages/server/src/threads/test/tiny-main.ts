import { TinyIndexHost } from '../../adapters/embedded/test/tiny-index.ts'
import { readConfig } from '../../config.ts'
import { Doorway } from '../doorway.ts'
import { runService } from '../run-service.ts'
import { StopSignals } from '../stop-signals.ts'

/** The service with an index that finds everything: to test threads without the engine. */
const config = readConfig(process.argv.slice(2), {})
if (config === 'help') throw new Error('No help here')
await runService(config, {
  signals: new StopSignals(() => process.exit(0)),
  doorway: Doorway.open(config),
  createIndexHost: () => {
    const host = new TinyIndexHost()
    return Promise.resolve(Object.assign(host, { close: () => Promise.resolve() }))
  },
  servingEntry: new URL('./tiny-serving-thread.ts', import.meta.url),
  suggestionsEntry: new URL('./tiny-suggestions-thread.ts', import.meta.url),
})
