import { ConfigError } from './config-options.ts'

/** They stand in a header of every page. */
const IMAGE_HOSTS_MAX = 50
/** Of one source; 253 is the longest name of a host. */
const SOURCE_MAX_CHARS = 270
const LOCAL_HOSTS = ['localhost', '127.0.0.1']

/**
 * Hosts that pictures may come from, as sources of a Content-Security-Policy: an origin each, the
 * host with `*.` for all below it. What was written is parsed and written anew, so nothing else can
 * get into the header.
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
      `dashboard-image-hosts has ${parts.length} hosts, at most ${IMAGE_HOSTS_MAX} are possible`,
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

/** A name with a dot; `*` for its first part where two others follow. */
function isHost(hostname: string): boolean {
  if (LOCAL_HOSTS.includes(hostname)) return true
  const labels = hostname.split('.')
  const named = labels[0] === '*' ? labels.slice(1) : labels
  return named.length >= 2 && named.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.includes(hostname))
}
