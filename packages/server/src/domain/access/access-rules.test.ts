import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { suite, test } from 'node:test'
import {
  LOGIN_FAILURES_PER_ADDRESS_MAX,
  LOGIN_FAILURES_PER_USER_MAX,
  LOGIN_WAIT_MAX_SECONDS,
  LOGIN_WINDOW_SECONDS,
} from '@aisle/contract'
import { checkLogin, normalLogin } from './login-name.ts'
import { knownDevice, newDevice } from './known-device.ts'
import { LoginLimits } from './login-limits.ts'
import { networkOf } from './network.ts'
import { hashPassword, isOutdated, matchesPassword, PASSWORD_COST } from './password-hash.ts'

const CHEAP = { memoryKib: 8, passes: 1, parallelism: 1 }

suite('password hashes', () => {
  test('are argon2id in PHC form, each with its own salt', async () => {
    const hash = await hashPassword('correct horse battery', CHEAP)
    const [, salt = '', tag] =
      /^\$argon2id\$v=19\$m=8,t=1,p=1\$([\w+/]+)\$([\w+/]+)$/.exec(hash) ?? []
    const expected = argon2Sync('argon2id', {
      message: 'correct horse battery',
      nonce: Buffer.from(salt, 'base64'),
      parallelism: 1,
      tagLength: 32,
      memory: 8,
      passes: 1,
    })
    assert.equal(tag, expected.toString('base64').replaceAll('=', ''))
    assert.notEqual(hash, await hashPassword('correct horse battery', CHEAP))
  })

  test('match their password at any cost, and no other', async () => {
    const hash = await hashPassword('pässword ☃', CHEAP)
    assert.equal(await matchesPassword(hash, 'pässword ☃', PASSWORD_COST), true)
    assert.equal(await matchesPassword(hash, 'pa\u0308ssword ☃', CHEAP), true, 'typed otherwise')
    assert.equal(await matchesPassword(hash, 'passwörd ☃', CHEAP), false)
    assert.equal(await matchesPassword(hash, '', CHEAP), false)
    assert.equal(await matchesPassword(undefined, 'pässword ☃', CHEAP), false)
    assert.equal(isOutdated(hash, CHEAP), false)
    assert.equal(isOutdated(hash, { ...CHEAP, passes: 2 }), true)
  })

  test('that are not in PHC form are an error, not a wrong password', async () => {
    for (const hash of ['', 'x', '$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA']) {
      await assert.rejects(matchesPassword(hash, 'x', CHEAP))
    }
  })
})

suite('logins', () => {
  test('have one form', () => {
    assert.equal(checkLogin('Ada@Example.COM'), 'ada@example.com')
    assert.equal(normalLogin('ＡＤＡ'), 'ada')
    for (const login of [
      '',
      ' ',
      'a b',
      'a\tb',
      'a\u0000',
      'a\u202eb',
      'x'.repeat(129),
      '\ud800',
    ]) {
      assert.throws(() => checkLogin(login), { code: 'invalid_parameter', param: 'login' })
    }
  })

  const failures = (limits: LoginLimits, attempt: Parameters<LoginLimits['begin']>[0]): number => {
    for (let count = 0; ; count++) {
      try {
        limits.begin(attempt, 0)
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'rate_limited')
        return count
      }
    }
  }
  const attempt = { login: 'ada', address: '192.0.2.1' }

  test('are limited by name and network together, and never by the name alone', () => {
    const limits = new LoginLimits()
    assert.equal(failures(limits, attempt), LOGIN_FAILURES_PER_USER_MAX)
    const elsewhere = { ...attempt, address: '192.0.2.2' }
    assert.equal(failures(limits, elsewhere), LOGIN_FAILURES_PER_USER_MAX, 'the same name')
    const rest = LOGIN_FAILURES_PER_ADDRESS_MAX - LOGIN_FAILURES_PER_USER_MAX
    assert.equal(failures(limits, { ...attempt, login: 'eve' }), rest, 'the same address')
  })

  test('double the wait, up to a bound, and fade evenly', () => {
    const limits = new LoginLimits()
    failures(limits, attempt)
    let nowMs = 0
    for (const seconds of [1, 2, 4, 8]) {
      assert.throws(() => limits.begin(attempt, nowMs), { retryAfterSeconds: seconds })
      assert.throws(() => limits.begin(attempt, -1e9), { code: 'rate_limited' })
      nowMs += seconds * 1_000
      limits.begin(attempt, nowMs)
    }
    for (let i = 0; i < 100; i++) {
      try {
        limits.begin(attempt, nowMs)
      } catch (error) {
        const { retryAfterSeconds = 0 } = error as { retryAfterSeconds?: number }
        assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= LOGIN_WAIT_MAX_SECONDS)
        nowMs += retryAfterSeconds * 1_000
      }
    }
    assert.ok(nowMs > LOGIN_WINDOW_SECONDS * 1_000, 'a guess a minute at most in the long run')
    nowMs += 2 * LOGIN_WINDOW_SECONDS * 1_000
    for (let i = 0; i < LOGIN_FAILURES_PER_USER_MAX; i++) limits.begin(attempt, nowMs)
  })

  test('by strangers do not slow down a known device, not even in the same network', () => {
    const limits = new LoginLimits()
    const key = 'a key'
    const user = { login: 'ada', passwordChangedAt: '2026-01-01T00:00:00.000Z' }
    const kept = newDevice(key, user)
    const device = knownDevice(key, user, kept)!
    failures(limits, attempt)
    for (let i = 0; i < 100; i++) {
      limits.begin({ ...attempt, device }, 0)
      limits.succeeded({ ...attempt, device }, 0)
    }
    assert.equal(failures(limits, { ...attempt, device }), LOGIN_FAILURES_PER_USER_MAX)
    const later = { ...user, passwordChangedAt: '2026-01-02T00:00:00.000Z' }
    for (const [other, text] of [
      [{ ...user, login: 'eve' }, kept],
      [later, kept],
      [undefined, kept],
      [user, undefined],
      [user, ''],
      [user, 'x.y'],
      [user, `${kept}x`],
      [user, `${kept}.x`],
    ] as const) {
      assert.equal(knownDevice(key, other, text), undefined)
    }
    assert.equal(knownDevice('another key', user, kept), undefined)
  })

  test('that succeed do not count', () => {
    const limits = new LoginLimits()
    for (let i = 0; i < 100; i++) {
      limits.begin(attempt, 0)
      limits.succeeded(attempt, 0)
    }
    assert.equal(failures(limits, attempt), LOGIN_FAILURES_PER_USER_MAX)
  })

  test('an IPv6 network is one place', () => {
    assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:DB8:0001:2:ffff:1:2:3'))
    assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
    assert.equal(networkOf('::1'), '0:0:0:0')
    assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0')
    assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
  })
})
