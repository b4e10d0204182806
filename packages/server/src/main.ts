import { createIndexHost } from './adapters/embedded/index-host.ts'
import { ConfigError, helpText, readConfig } from './config.ts'
import { runService } from './threads/run-service.ts'

/** The process: reads the configuration and runs the service until a signal ends it. */
function configOrExit(): ReturnType<typeof readConfig> {
  try {
    return readConfig(process.argv.slice(2), process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}

const config = configOrExit()
if (config === 'help') {
  console.log(helpText())
} else {
  await runService(config, {
    createIndexHost: (folder) =>
      createIndexHost(folder, new URL('./threads/index-thread.ts', import.meta.url)),
    servingEntry: new URL('./threads/serving-thread.ts', import.meta.url),
  })
}
