import type { ClusterConfig, loadCluster, readCluster } from '@aisle/server'
import { commandName, type Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { counted } from '../terminal/table.ts'
import { addCommand, addGroup, type Command, type CommonOptions } from './command.ts'
import { describe, offline } from './snapshots.ts'

interface ClusterOptions extends CommonOptions {
  readonly opensearchUrl?: string
  readonly opensearchUser?: string
  readonly opensearchCaFile?: string
  readonly opensearchAllowHttp?: boolean
  readonly secretsKeyFile?: string
  readonly opensearchPrefix?: string
  readonly secrets?: string
}

/** Moves a service from one machine to an OpenSearch cluster, and back. */
export function addCommands(program: Command, context: Context): void {
  const cluster = addGroup(
    program,
    'cluster',
    'move from one machine to an OpenSearch cluster, and back',
  )
  withAddress(
    addCommand(cluster, {
      name: 'import <snapshot>',
      summary:
        'load a snapshot (its folder) into an empty cluster; run it again if it was interrupted',
      talksTo: 'nobody',
      examples: [
        'aisle cluster import ./data/snapshots/snapshot-20260101T000000Z \\',
        '  --opensearch-url https://search-1:9200 --secrets ./data/secrets.json',
      ],
    }),
  )
    .option(
      '--secrets <file>',
      'secrets.json of the data folder; without it, all visitors and sessions are new',
    )
    .runs(async (run, folder: string, options: ClusterOptions) => {
      const done = await onCluster(context, options, async ({ importSnapshot }, address) =>
        importSnapshot(folder, address, {
          clock: context,
          secretsFile: options.secrets,
          onProgress: (text) => context.err.write(`${text}\n`),
        }),
      )
      const { stores, documents, users, events, snapshot } = done
      run.print(
        done,
        `${snapshot}: ${counted(documents, 'document')} of ${counted(stores, 'store')}, ${counted(users, 'user')} and ${counted(events, 'event')} copied to the cluster, read back and compared.\n`,
      )
    })
  withAddress(
    addCommand(cluster, {
      name: 'export <folder>',
      summary: 'snapshot a cluster, for `aisle restore`',
      talksTo: 'nobody',
      examples: ['aisle cluster export ./snapshot --opensearch-url https://search-1:9200'],
    }),
  )
    .option('--secrets <file>', 'file for the keys that snapshots leave out: secrets.json')
    .runs(async (run, folder: string, options: ClusterOptions) => {
      const made = await onCluster(context, options, async ({ exportCluster }, address) =>
        exportCluster(address, folder, { clock: context, secretsFile: options.secrets }),
      )
      run.print(
        made,
        `${describe(made)}\nTo make a data folder from it: ${commandName(context)} restore ${folder}\n`,
      )
    })
}

function withAddress(command: Command): Command {
  return command
    .option(
      '--opensearch-url <addresses>',
      'addresses of its nodes, separated by commas (AISLE_OPENSEARCH_URL)',
    )
    .option(
      '--opensearch-user <name>',
      'cluster user (AISLE_OPENSEARCH_USER); the password is read from AISLE_OPENSEARCH_PASSWORD',
    )
    .option(
      '--opensearch-ca-file <file>',
      'certificate authority of the cluster (AISLE_OPENSEARCH_CA_FILE)',
    )
    .option(
      '--opensearch-allow-http',
      'send user and password unencrypted to http:// addresses of other machines (AISLE_OPENSEARCH_ALLOW_HTTP)',
    )
    .option(
      '--secrets-key-file <file>',
      'key that the nodes of the cluster encrypt its secrets with (AISLE_SECRETS_KEY_FILE)',
    )
    .option(
      '--opensearch-prefix <text>',
      'prefix of its index names (AISLE_OPENSEARCH_PREFIX, default aisle)',
    )
}

/** Runs a command on the cluster that the options name; they are those of a cluster node. */
function onCluster<T>(
  context: Context,
  options: ClusterOptions,
  use: (cluster: Awaited<ReturnType<typeof loadCluster>>, address: ClusterConfig) => Promise<T>,
): Promise<T> {
  return offline(async ({ readCluster, loadCluster, ConfigError, NoClusterError }) => {
    try {
      const address = readCluster(optionsOf(context, options))
      if (address === undefined)
        throw new ConfigError('--opensearch-url is missing: it names the cluster')
      return await use(await loadCluster(), address)
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof NoClusterError)) throw error
      throw new CommandError('usage', error.message, { cause: error })
    }
  })
}

function optionsOf(
  { environment }: Context,
  options: ClusterOptions,
): Parameters<typeof readCluster>[0] {
  const given: Readonly<Record<string, string | undefined>> = {
    opensearch_url: options.opensearchUrl,
    opensearch_user: options.opensearchUser,
    opensearch_ca_file: options.opensearchCaFile,
    secrets_key_file: options.secretsKeyFile,
    opensearch_prefix: options.opensearchPrefix,
  }
  return <T>(name: string): T => {
    if (name === 'opensearch_allow_http') {
      const { AISLE_OPENSEARCH_ALLOW_HTTP: allowed } = environment
      return (options.opensearchAllowHttp === true || allowed === 'true') as T
    }
    const value = given[name] ?? environment[`AISLE_${name.toUpperCase()}`]
    return (value ?? (name === 'opensearch_prefix' ? 'aisle' : undefined)) as T
  }
}
