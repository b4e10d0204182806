import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { SourceError } from './source-error.ts'

/** Addresses that no source may have unless the operator lists them. */
const PRIVATE_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Link-local, with the metadata services of cloud providers.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, reserved and broadcast.
  '224.0.0.0/3',
  '::/128',
  '::1/128',
  // Translated and tunneled IPv4 addresses, whatever is in them.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
] as const

const PRIVATE = blockList(PRIVATE_NETWORKS)
/** The rest of IPv6 is not in use, or is not global. */
const GLOBAL_IPV6 = blockList(['2000::/3'])

/**
 * Which addresses a source may have: public ones, and those of the networks that the operator
 * listed. Every connection is checked after its name was resolved, so a name that resolves to
 * another address the next time reaches nothing else.
 */
export class SourceNetworks {
  readonly #listed: BlockList

  /** @param listed such as `10.1.0.0/16` or `192.168.1.20` (`isNetwork`) */
  constructor(listed: readonly string[] = []) {
    this.#listed = blockList(listed)
  }

  allows(address: string): boolean {
    const family = isIP(address)
    if (family === 0) return false
    const plain = plainAddress(address)
    const type = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
    if (this.#listed.check(plain, type)) return true
    return !PRIVATE.check(plain, type) && (type === 'ipv4' || GLOBAL_IPV6.check(plain, type))
  }

  /**
   * Resolves names for `net.connect` and for all that take the option `lookup`. Only addresses are
   * returned that may be connected to; the connection is made to one of these.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '')
        return
      }
      const allowed = found.filter(({ address }) => this.allows(address))
      const [first] = allowed
      if (first === undefined) callback(forbidden(hostname), '')
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }

  /**
   * An address in place of a name is not looked up: check it before connecting.
   *
   * @throws SourceError forbidden_address
   */
  requireAllowed(host: string): void {
    const plain = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
    if (isIP(plain) !== 0 && !this.allows(plain)) throw forbidden(plain)
  }
}

/** Whether a text is an address, or a network such as `10.1.0.0/16`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0 || address.includes('%')) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address)
    const type = family === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, type)
    else list.addSubnet(address, Number(bits), type)
  }
  return list
}

/** `::ffff:10.0.0.1` is `10.0.0.1`, in any spelling; a zone is left out. */
function plainAddress(address: string): string {
  const [text = ''] = address.split('%')
  if (isIP(text) !== 6) return text
  const { hostname } = new URL(`http://[${text}]`)
  const mapped = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname)
  if (mapped === null) return text
  const [high, low] = [parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Without the address of a name, which may be known inside of a company only. */
function forbidden(host: string): SourceError {
  const what = isIP(host) === 0 ? 'is not at a public address' : 'is not a public address'
  return new SourceError(
    'forbidden_address',
    `"${host}" ${what}: the operator of the service can allow its network with --source-networks`,
  )
}
