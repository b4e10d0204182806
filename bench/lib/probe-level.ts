import { HttpClient, ServerProcess, type HttpRequest } from '@aisle/testing'
import { compareSamples, median, type Comparison } from './two-samples.ts'

/** What an attacker learns from guesses by looking only at the clock. */
export interface ProbeReport {
  readonly questions: readonly ProbeQuestion[]
}

interface ProbeQuestion {
  readonly name: string
  readonly probes: number
  readonly medianMs: readonly [number, number]
  readonly comparison: Comparison
}

interface Side {
  readonly request: (i: number) => HttpRequest
  readonly status: number
}

const WARM_UP = 500
const PASSWORD = 'correct horse battery'
const USERS = 40
const [KNOWN_STORE, UNKNOWN_STORE, ROTATED_STORE] = ['store-known', 'store-other', 'store-grace']
const [KNOWN_USERS, UNKNOWN_USERS] = ['known', 'other']
/** A password check takes a tenth of a second; fewer of them reveal less. */
const LOGIN_SHARE = 50
/** Beyond this distance from even, a probe reveals more than two in a hundred guesses would. */
const CHANCE_TOLERANCE = 0.02

/**
 * Times probes of two kinds, in random order on one connection, one after the other: a wrong secret
 * for an existing store and for a nonexistent one, and the same for logins.
 */
export async function probeLevel(probes: number): Promise<ProbeReport> {
  await using server = await ServerProcess.start({
    threads: 1,
    environment: { AISLE_LOG_LEVEL: 'silent', AISLE_TRUST_PROXY: 'true' },
  })
  using http = new HttpClient(server.url, { connections: 1 })
  const loginProbes = Math.max(2, Math.floor(probes / LOGIN_SHARE))
  // With the warm-up, twice as many guesses; creating a user takes as long as a guess.
  await prepare(http, server.adminToken, Math.min(USERS, 2 * loginProbes))
  const search = await timed(http, searchOf(KNOWN_STORE), searchOf(UNKNOWN_STORE), probes)
  const grace = await timed(http, searchOf(KNOWN_STORE), searchOf(ROTATED_STORE), probes)
  const login = await timed(http, loginOf(KNOWN_USERS), loginOf(UNKNOWN_USERS), loginProbes)
  return {
    questions: [
      { name: 'search, wrong secret: known store | unknown store', ...search },
      { name: 'search, wrong secret: known store | store with a key in its grace', ...grace },
      { name: 'login, wrong password: known user | unknown user', ...login },
    ],
  }
}

export function probeText({ questions }: ProbeReport): string {
  return questions
    .map(({ name, probes, medianMs: [a, b], comparison: { chanceSmaller, z } }) => {
      const isEven = Math.abs(chanceSmaller - 0.5) <= CHANCE_TOLERANCE || Math.abs(z) < 3
      return [
        `${name}: ${probes.toLocaleString('en-US')} probes`,
        `  medians ${a.toFixed(4)} | ${b.toFixed(4)} ms; the first is quicker in ${(chanceSmaller * 100).toFixed(1)} % of pairs (z ${z.toFixed(1)})`,
        `  ${isEven ? 'cannot be told apart' : 'CAN BE TOLD APART'}`,
      ].join('\n')
    })
    .join('\n')
}

/** One of the two at random, then the other: other load on the machine affects both. */
async function timed(
  http: HttpClient,
  first: Side,
  second: Side,
  probes: number,
): Promise<Omit<ProbeQuestion, 'name'>> {
  const times: [number[], number[]] = [[], []]
  const warmUp = Math.min(WARM_UP, probes)
  for (let i = 0; i < warmUp + probes; i += 2) {
    const order = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)
    for (const which of order) {
      const { request, status } = which === 0 ? first : second
      const built = request(i)
      const beforeMs = performance.now()
      const answer = await http.send(built)
      const tookMs = performance.now() - beforeMs
      if (answer.status !== status) throw new Error(`A probe was answered with ${answer.status}`)
      if (i >= warmUp) times[which].push(tookMs)
    }
  }
  return {
    probes: times[0].length + times[1].length,
    medianMs: [median(times[0]), median(times[1])],
    comparison: compareSamples(times[0], times[1]),
  }
}

/** All ids and secrets have the same length: longer ones take longer to send. */
function searchOf(storeId: string): Side {
  const headers = {
    'content-type': 'application/json',
    'x-storeid': storeId,
    'x-storesecret': `rs_${'x'.repeat(43)}`,
  }
  return {
    status: 401,
    request: () => ({ method: 'POST', path: '/v1/search', headers, body: '{"q":"*"}' }),
  }
}

/** Each guess has another address, and few share a name: rate limits are not measured. */
function loginOf(prefix: string): Side {
  return {
    status: 401,
    request: (i) => ({
      method: 'POST',
      path: '/api/v1/admin/session',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${100 + (i >> 16)}.${100 + ((i >> 8) % 100)}.${100 + (i % 100)}`,
      },
      body: JSON.stringify({ login: `${prefix}-${100 + (i % USERS)}`, password: 'wrong password' }),
    }),
  }
}

async function prepare(http: HttpClient, adminToken: string, users: number): Promise<void> {
  const admin = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const answer = await http.send({
      method: 'POST',
      path: `/api/v1/admin${path}`,
      headers,
      body: JSON.stringify(body),
    })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}`)
  }
  for (const id of [KNOWN_STORE, ROTATED_STORE]) await admin('/stores', { id, name: id })
  await admin(`/stores/${ROTATED_STORE}/keys/read/rotate`, { grace_seconds: 86_400 })
  for (let i = 0; i < users; i++) {
    const login = `${KNOWN_USERS}-${100 + i}`
    await admin('/users', { login, role: 'analyst', password: PASSWORD })
  }
}
