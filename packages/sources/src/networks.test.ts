import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { suite, test } from 'node:test'
import { isNetwork, SourceNetworks } from './networks.ts'
import { SourceError } from './source-error.ts'

const REFUSED = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
]
const ALLOWED = ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1']

suite('the addresses of sources', () => {
  test('are public ones', () => {
    const networks = new SourceNetworks()
    for (const one of REFUSED) assert.equal(networks.allows(one), false, one)
    for (const one of ALLOWED) assert.equal(networks.allows(one), true, one)
  })

  test('include those that the operator lists, and no others', () => {
    const networks = new SourceNetworks(['10.1.0.0/16', '::1', '127.0.0.1'])
    for (const one of ['10.1.2.3', '::1', '::ffff:10.1.2.3', '127.0.0.1', '1.1.1.1']) {
      assert.equal(networks.allows(one), true, one)
    }
    for (const one of ['10.2.0.1', '127.0.0.2', '192.168.0.1']) {
      assert.equal(networks.allows(one), false, one)
    }
  })

  test('are checked after a name was resolved', async () => {
    const lookUp = (networks: SourceNetworks, all: boolean): Promise<string | LookupAddress[]> =>
      new Promise((resolve, reject) => {
        networks.lookup('localhost', { all }, (error, address) => {
          if (error === null) resolve(address)
          else reject(error)
        })
      })
    for (const all of [true, false]) {
      await assert.rejects(lookUp(new SourceNetworks(), all), (error) => {
        assert.ok(error instanceof SourceError)
        assert.equal(error.fault, 'forbidden_address')
        assert.match(error.message, /^"localhost" is not at a public address: /)
        return true
      })
      await lookUp(new SourceNetworks(['127.0.0.1', '::1']), all)
    }
  })

  test('may stand in place of a name, in brackets too', () => {
    const networks = new SourceNetworks()
    for (const host of ['127.0.0.1', '[::1]']) {
      assert.throws(() => networks.requireAllowed(host), { fault: 'forbidden_address' })
    }
    networks.requireAllowed('shop.example')
    networks.requireAllowed('1.1.1.1')
  })

  test('are listed as addresses and networks', () => {
    for (const one of ['10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::1', '0.0.0.0/0']) {
      assert.equal(isNetwork(one), true, one)
    }
    for (const one of [
      '10.0.0.0/33',
      'x',
      '10.0.0/8',
      '::1/129',
      '10.0.0.1/8/8',
      '',
      'fe80::1%a',
    ]) {
      assert.equal(isNetwork(one), false, one)
    }
  })
})
