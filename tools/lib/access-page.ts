interface AccessDocument {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly operationId: string
        readonly 'x-access': {
          readonly class: string
          readonly role?: string
          readonly audited: boolean
        }
      }
    >
  >
}

/** The page docs/access.md with its table of operations regenerated. */
export function accessPage(page: string, openApi: string): string {
  const { paths } = JSON.parse(openApi) as AccessDocument
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, 'x-access': access }]) => {
      const { class: of, role = '', audited } = access
      return `| \`${operationId}\` | ${method.toUpperCase()} \`${path}\` | ${of} | ${role} | ${audited ? 'yes' : ''} |`
    }),
  )
  const table = ['| operation | route | class | role | audited |', '|---|---|---|---|---|', ...rows]
  return page.replace(
    /(<!-- operations -->\n)[^]*(<!-- \/operations -->)/,
    (_, start: string, end: string) => `${start}\n${table.join('\n')}\n\n${end}`,
  )
}
