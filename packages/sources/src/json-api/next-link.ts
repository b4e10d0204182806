/** The URL of the next page in a header `Link` (RFC 8288), such as `<https://…>; rel="next"`. */
export function nextLink(header: string): string | undefined {
  let rest = header
  for (;;) {
    const start = rest.indexOf('<')
    const end = rest.indexOf('>', start)
    if (start === -1 || end === -1) return undefined
    const next = rest.indexOf('<', end)
    const parameters = rest.slice(end + 1, next === -1 ? undefined : next).split(/[;,]/)
    if (parameters.some(isNext)) return rest.slice(start + 1, end)
    rest = rest.slice(end + 1)
  }
}

function isNext(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  if (name.trim().toLowerCase() !== 'rel') return false
  return value.replaceAll('"', ' ').trim().toLowerCase().split(' ').includes('next')
}
