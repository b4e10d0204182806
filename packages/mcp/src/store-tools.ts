import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { StoreClient } from '@aisle/client'
import { READ_TOOLS } from './read-tools.ts'
import { REPORT_TOOLS } from './report-tools.ts'
import { SETTINGS_TOOLS, CHANGING_TOOLS } from './settings-tools.ts'
import type { Tool } from './tool.ts'

/** The permissions of the caller's key. */
export interface ToolRights {
  /** Whether there is a write secret, so that reports and settings can be read. */
  readonly manages: boolean
  /** Whether tools that change the store are offered too. */
  readonly changes: boolean
}

const INSTRUCTIONS =
  'Tools of a product catalog. Call describe_catalog first: it names the fields to filter, sort and count by. Counts are exact. Filters look like `brand:=Acme && price:[10..50]`.'

/** A server of the protocol with the tools that the rights allow. */
export function storeServer(store: StoreClient, version: string, rights: ToolRights): McpServer {
  const server = new McpServer({ name: 'aisle', version }, { instructions: INSTRUCTIONS })
  const tools = [
    ...READ_TOOLS,
    ...(rights.manages ? [...REPORT_TOOLS, ...SETTINGS_TOOLS] : []),
    ...(rights.manages && rights.changes ? CHANGING_TOOLS : []),
  ]
  for (const tool of tools) register(server, store, tool)
  return server
}

function register(server: McpServer, store: StoreClient, tool: Tool): void {
  const { name, title, description, input, required = [] } = tool
  const schema = {
    type: 'object' as const,
    properties: input,
    required: [...required],
    additionalProperties: false,
  }
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: fromJsonSchema<Record<string, unknown>>(schema),
      annotations: {
        readOnlyHint: tool.changes !== true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    async (given) => {
      try {
        const answer = await tool.run(store, given)
        return {
          content: [{ type: 'text', text: JSON.stringify(answer) }],
          structuredContent: answer,
        }
      } catch (error) {
        // The service's message about a wrong filter tells the caller how to correct it.
        return { isError: true, content: [{ type: 'text', text: (error as Error).message }] }
      }
    },
  )
}
