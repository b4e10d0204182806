import { ConfigError } from './config-options.ts'

/** Every page sends all hosts in a header, so their number is limited. */
const IMAGE_HOSTS_MAX = 50
/** Maximum length of one source; the name of a host has at most 253 characters. */
const SOURCE_MAX_CHARS = 270
const LOCAL_HOSTS = ['localhost', '127.0.0.1']

/**
 * Parses hosts of pictures into sources for a Content-Security-Policy: one origin each, with `*.`
 * for all subdomains. The sources are built from the parsed hosts, so nothing else can get into the
 * header.
 *
 * @param text `images.example.com, *.example.net, http://localhost:9000`; undefined: none
 */
export function readImageHosts(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length > IMAGE_HOSTS_MAX) {
    throw new ConfigError(
      `dashboard-image-hosts must have at most ${IMAGE_HOSTS_MAX} hosts, received ${parts.length}`,
    )
  }
  return [...new Set(parts.map(sourceOf))]
}

function sourceOf(part: string): string {
  const url = URL.parse(part.includes('://') ? part : `https://${part}`)
  const isPlain =
    url !== null &&
    part.length <= SOURCE_MAX_CHARS &&
    url.username + url.password + url.search + url.hash === '' &&
    url.pathname === '/'
  if (!isPlain || !isHost(url.hostname) || !isSafe(url)) {
    throw new ConfigError(
      `dashboard-image-hosts must be hosts such as "images.example.com" or "*.example.com", with https (http for localhost only), received "${part}"`,
    )
  }
  return url.origin
}

/** Matches a name with a dot; its first part may be `*` if two others follow. */
function isHost(hostname: string): boolean {
  if (LOCAL_HOSTS.includes(hostname)) return true
  const labels = hostname.split('.')
  const named = labels[0] === '*' ? labels.slice(1) : labels
  return named.length >= 2 && named.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.includes(hostname))
}
