import {
  ChangePasswordRequest,
  CheckedFirstOwner,
  CheckFirstOwnerRequest,
  CreateFirstOwnerRequest,
  CurrentSession,
  EndedSessions,
  LoginRequest,
  SessionList,
} from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { normalLogin } from '../../domain/access/login-name.ts'
import { digestOf } from '../../domain/access/store-keys.ts'
import type { SessionOrigin, StartedSession } from '../../ports/access/access-keeper.ts'
import { endSession, listSessions, presentSession } from '../../services/access/users.ts'
import { userOf } from '../actor.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'
import { refuseForeignPage } from '../plugins/session-auth.ts'
import {
  clearSessionCookie,
  deviceOf,
  sessionSecretOf,
  setDeviceCookie,
  setSessionCookie,
} from '../session-cookie.ts'

const SESSION = '/api/v1/admin/session'
const FIRST_OWNER = '/api/v1/admin/first-owner'
const SESSIONS = '/api/v1/admin/sessions'
const USER_AGENT_MAX_CHARS = 256

const readLogin = bodyReader<LoginRequest>(LoginRequest)
const readCheck = bodyReader<CheckFirstOwnerRequest>(CheckFirstOwnerRequest)
const readFirstOwner = bodyReader<CreateFirstOwnerRequest>(CreateFirstOwnerRequest)
const readPasswords = bodyReader<ChangePasswordRequest>(ChangePasswordRequest)

/** Login and logout, and a user's own sessions and password. */
export function sessionRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  loginRoutes(app, dependencies)
  currentSessionRoutes(app, dependencies)
  ownSessionRoutes(app, dependencies)
}

function loginRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const { access, directory } = dependencies

  app.post(
    SESSION,
    route('login', 'Access', {
      id: 'logIn',
      summary: 'Log in',
      description:
        'Starts a session, held in a cookie that scripts cannot read. Every request of the session that is not a GET needs its `csrf_token` in the header `x-csrf-token`.',
      body: { 'application/json': LoginRequest },
      example: { login: 'ada@example.com', password: 'correct horse battery' },
      success: jsonAnswer(CurrentSession, 'Logged in.', 201),
      errors: ['invalid_credentials', 'forbidden'],
    }),
    async (request, reply) => {
      refuseForeignPage(request)
      const { login, password } = readLogin(request)
      const known = directory.user(normalLogin(login))
      // An unknown name may be a password that was typed into the wrong field.
      request.auditSubject = known === undefined ? null : { target: known.login }
      const started = await access.logIn({ login, password, ...originOf(request) })
      actAs(request, started)
      await endSessionBefore(request)
      return reply.code(201).send(handOver(dependencies, request, reply, started))
    },
  )
  app.post(
    FIRST_OWNER,
    route('login', 'Access', {
      id: 'createFirstOwner',
      summary: 'Create the first owner',
      description:
        'Requires the secret from the link that the service prints at start while it has no user. Starts a session, as a login does.',
      body: { 'application/json': CreateFirstOwnerRequest },
      success: jsonAnswer(CurrentSession, 'Created, and logged in.', 201),
      errors: ['invalid_credentials', 'forbidden'],
    }),
    async (request, reply) => {
      refuseForeignPage(request)
      const started = await access.createFirstOwner({
        ...readFirstOwner(request),
        ...originOf(request),
      })
      request.auditSubject = { target: started.user.login }
      actAs(request, started)
      return reply.code(201).send(handOver(dependencies, request, reply, started))
    },
  )

  app.post(
    `${FIRST_OWNER}/check`,
    route('login', 'Access', {
      audit: false,
      id: 'checkFirstOwner',
      summary: 'Check the link for the first owner',
      description:
        'The link works once, and only while there are no users. After that, 401 with a message that says what to do.',
      body: { 'application/json': CheckFirstOwnerRequest },
      success: jsonAnswer(CheckedFirstOwner, 'The link is valid.'),
      errors: ['invalid_credentials', 'forbidden'],
    }),
    async (request, reply) => {
      refuseForeignPage(request)
      await access.checkFirstOwner(readCheck(request))
      return reply.send({ status: 'valid' })
    },
  )

  /** Ends the previous session of the same browser. */
  async function endSessionBefore(request: FastifyRequest): Promise<void> {
    const secret = sessionSecretOf(request)
    const before = secret === undefined ? undefined : directory.session(digestOf(secret))
    if (before !== undefined) await access.endSession(before)
  }
}

function currentSessionRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const { access, options } = dependencies
  const { imageHosts = [] } = options

  app.get(
    SESSION,
    route('session', 'Access', {
      id: 'getSession',
      summary: 'Read who is logged in, and the CSRF token',
      success: jsonAnswer(CurrentSession),
    }),
    (request, reply) => {
      const user = userOf(request)
      return reply.send(presentSession(dependencies, { ...user, user: user.rights }, imageHosts))
    },
  )
  app.delete(
    SESSION,
    route('session', 'Access', {
      id: 'logOut',
      summary: 'Log out',
      success: jsonAnswer(EndedSessions, 'The session is no longer valid.'),
    }),
    async (request, reply) => {
      const { login, session } = userOf(request)
      const isEnded = await access.endSession({ login, sessionId: session.sessionId })
      clearSessionCookie(request, reply)
      return reply.send({ status: 'ended', sessions_ended: isEnded ? 1 : 0 })
    },
  )
  app.post(
    `${SESSION}/password`,
    route('session', 'Access', {
      id: 'changePassword',
      summary: 'Change your own password',
      description: 'Ends all your sessions and starts a new one.',
      body: { 'application/json': ChangePasswordRequest },
      example: {
        current_password: 'correct horse battery',
        new_password: 'staple of a haystack',
      },
      success: jsonAnswer(CurrentSession, 'The new session.'),
    }),
    async (request, reply) => {
      const { login } = userOf(request)
      const passwords = readPasswords(request)
      const started = await access.changePassword({
        login,
        currentPassword: passwords.current_password,
        newPassword: passwords.new_password,
        ...originOf(request),
      })
      return reply.send(handOver(dependencies, request, reply, started))
    },
  )
}

function ownSessionRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  app.get(
    SESSIONS,
    route('session', 'Access', {
      id: 'listOwnSessions',
      summary: 'List your sessions',
      success: jsonAnswer(SessionList, 'Oldest first.'),
    }),
    (request, reply) => {
      const { login, session } = userOf(request)
      return reply.send(listSessions(dependencies, login, session))
    },
  )
  app.delete<{ Params: { session_id: string } }>(
    `${SESSIONS}/:session_id`,
    route('session', 'Access', {
      id: 'endOwnSession',
      summary: 'End one of your sessions',
      success: jsonAnswer(EndedSessions, 'The session is no longer valid.'),
      errors: ['session_not_found'],
    }),
    (request) => endSession(dependencies, userOf(request).login, request.params.session_id),
  )
}

/** Attributes the rest of the request to the user of a new session. */
function actAs(request: FastifyRequest, { user, session, secret }: StartedSession): void {
  request.actor = { kind: 'user', login: user.login, rights: user, session, secret }
}

/** Sets the cookies of a new session. @returns the body of the response */
function handOver(
  { registry, options }: AppDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  started: StartedSession,
): CurrentSession {
  setSessionCookie(request, reply, started.secret)
  setDeviceCookie(request, reply, started.device)
  return presentSession({ registry }, started, options.imageHosts ?? [])
}

function originOf(request: FastifyRequest): SessionOrigin {
  const userAgent = (request.headers['user-agent'] ?? '')
    .slice(0, USER_AGENT_MAX_CHARS)
    .toWellFormed()
  return { address: request.ip, userAgent, device: deviceOf(request) }
}
