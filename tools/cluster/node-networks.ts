import { execFileSync } from 'node:child_process'

/** Maximum of nodes: each has four of the 256 addresses of a cluster. */
const NODES_MAX = 60

/**
 * A separate network for each node of a cluster, so that it can be isolated: one namespace per
 * node, linked with this machine to a hub in another one. The hub drops packets silently, like a
 * pulled cable.
 */
export class NodeNetworks {
  readonly #count: number
  /** The third byte of the addresses, and part of all names: several clusters may run at once. */
  readonly #id = process.pid % 256
  readonly #hub = `aisle-${process.pid}-hub`
  readonly #removeAtEnd = (): void => this.remove()
  #isThere = false

  private constructor(count: number) {
    this.#count = count
  }

  /** @returns undefined if not allowed: requires Linux, `ip` and its privileges */
  static create(count: number): NodeNetworks | undefined {
    if (count > NODES_MAX) throw new Error(`Cannot link more than ${NODES_MAX} nodes`)
    const networks = new NodeNetworks(count)
    try {
      networks.#link()
      return networks
    } catch {
      networks.remove()
      return undefined
    }
  }

  /** The address of a node, for the other nodes and this machine. */
  addressOf(node: number): string {
    return this.#address(node + 1, 2)
  }

  /** Prefix of a command that runs in the network of a node. */
  commandOf(node: number): string[] {
    return ['ip', 'netns', 'exec', this.#name(node)]
  }

  /** Drops all packets to and from the node. */
  cut(node: number): void {
    this.#drop('iif', `n${node}`)
    this.#drop('to', `${this.addressOf(node)}/32`)
  }

  /** Drops packets between this node and the others; this machine still reaches all of them. */
  split(node: number): void {
    for (let other = 0; other < this.#count; other++) {
      if (other === node) continue
      this.#drop('iif', `n${node}`, 'to', `${this.addressOf(other)}/32`)
      this.#drop('iif', `n${other}`, 'to', `${this.addressOf(node)}/32`)
    }
  }

  /** Restores all connections. */
  heal(): void {
    ip('-n', this.#hub, 'rule', 'flush')
    ip('-n', this.#hub, 'rule', 'add', 'pref', '32766', 'lookup', 'main')
  }

  remove(): void {
    if (!this.#isThere) return
    this.#isThere = false
    process.off('exit', this.#removeAtEnd)
    const names = Array.from({ length: this.#count }, (_, node) => this.#name(node))
    for (const name of [...names, this.#hub]) {
      try {
        ip('netns', 'del', name)
      } catch {
        // It was not created.
      }
    }
  }

  #link(): void {
    this.#isThere = true
    process.once('exit', this.#removeAtEnd)
    const hub = this.#hub
    ip('netns', 'add', hub)
    ip('netns', 'exec', hub, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
    const own = `aisle${this.#id}`
    ip('link', 'add', own, 'type', 'veth', 'peer', 'name', 'host', 'netns', hub)
    ip('addr', 'add', `${this.#address(0, 1)}/30`, 'dev', own)
    ip('link', 'set', own, 'up')
    ip('-n', hub, 'addr', 'add', `${this.#address(0, 2)}/30`, 'dev', 'host')
    ip('-n', hub, 'link', 'set', 'host', 'up')
    ip('route', 'add', `${this.#address(0, 0)}/24`, 'via', this.#address(0, 2))
    for (let node = 0; node < this.#count; node++) {
      const name = this.#name(node)
      ip('netns', 'add', name)
      ip('-n', hub, 'link', 'add', `n${node}`, 'type', 'veth', 'peer', 'name', 'net', 'netns', name)
      ip('-n', hub, 'addr', 'add', `${this.#address(node + 1, 1)}/30`, 'dev', `n${node}`)
      ip('-n', hub, 'link', 'set', `n${node}`, 'up')
      ip('-n', name, 'addr', 'add', `${this.addressOf(node)}/30`, 'dev', 'net')
      for (const device of ['lo', 'net']) ip('-n', name, 'link', 'set', device, 'up')
      ip('-n', name, 'route', 'add', 'default', 'via', this.#address(node + 1, 1))
    }
  }

  #drop(...which: string[]): void {
    ip('-n', this.#hub, 'rule', 'add', 'pref', '100', ...which, 'blackhole')
  }

  #name(node: number): string {
    return `aisle-${process.pid}-${node}`
  }

  #address(link: number, host: number): string {
    return `10.213.${this.#id}.${4 * link + host}`
  }
}

function ip(...options: string[]): void {
  execFileSync('ip', options, { stdio: 'pipe' })
}
