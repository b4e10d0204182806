import { createIndexHost } from '../adapters/embedded/index-host.ts'
import { ConfigError, helpText, readConfig } from '../config.ts'
import { runService } from './run-service.ts'

/**
 * The process: reads the configuration and runs the service until a signal ends it.
 *
 * @param usage how it was called, for `--help`
 */
export async function startService(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  usage: string,
): Promise<void> {
  const config = configOrExit(flags, environment)
  if (config === 'help') {
    console.log(helpText(usage))
    return
  }
  await runService(config, {
    createIndexHost: (folder) =>
      createIndexHost(folder, new URL('./index-thread.ts', import.meta.url)),
    servingEntry: new URL('./serving-thread.ts', import.meta.url),
  })
}

function configOrExit(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof readConfig> {
  try {
    return readConfig(flags, environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
