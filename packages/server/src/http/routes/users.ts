import {
  AuditPage,
  AuditQuery,
  ChangeUserRequest,
  CreateUserRequest,
  DeletedUser,
  EndedSessions,
  RotatedAdminToken,
  SessionList,
  User,
  UserList,
  type TObject,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  changeUser,
  createUser,
  deleteUser,
  describeUser,
  endSession,
  endSessions,
  listSessions,
  listUsers,
} from '../../services/access/users.ts'
import { readAudit } from '../../services/access/read-audit.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'
import { decodeQuery } from '../query-parameters.ts'

const USERS = '/api/v1/admin/users'
const USER = `${USERS}/:login`

const readCreate = bodyReader<CreateUserRequest>(CreateUserRequest)
const readChange = bodyReader<ChangeUserRequest>(ChangeUserRequest)
const readQuery = parameterReader<AuditQuery>(AuditQuery)

type Named = { Params: { login: string } }

/** Manages users and their sessions, and serves the audit log, for owners. */
export function userRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  userRecordRoutes(app, dependencies)
  userSessionRoutes(app, dependencies)
  administrationRoutes(app, dependencies)
}

function userRecordRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  app.get(
    USERS,
    route('admin', 'Access', {
      role: 'owner',
      id: 'listUsers',
      summary: 'List users',
      success: jsonAnswer(UserList, 'Sorted by login.'),
    }),
    (_request, reply) => reply.send(listUsers(dependencies)),
  )
  app.post(
    USERS,
    route('admin', 'Access', {
      role: 'owner',
      id: 'createUser',
      summary: 'Create a user',
      description: 'The first one, an owner, is created with the admin token.',
      body: { 'application/json': CreateUserRequest },
      example: { login: 'ada@example.com', role: 'owner', password: 'correct horse battery' },
      success: jsonAnswer(User, 'Created.', 201),
      errors: ['user_exists'],
    }),
    async (request, reply) => {
      const user = await createUser(dependencies, readCreate(request))
      request.auditSubject = { target: user.login }
      return reply.code(201).send(user)
    },
  )
  app.get<Named>(
    USER,
    route('admin', 'Access', {
      role: 'owner',
      id: 'getUser',
      summary: 'Read one user',
      success: jsonAnswer(User),
      errors: ['user_not_found'],
    }),
    (request, reply) => reply.send(describeUser(dependencies, request.params.login)),
  )
  app.patch<Named>(
    USER,
    route('admin', 'Access', {
      role: 'owner',
      id: 'changeUser',
      summary: 'Change the role of a user, or set a password',
      description: 'Ends all sessions of the user. You cannot change your own role.',
      body: { 'application/json': ChangeUserRequest },
      example: { role: 'editor' },
      success: jsonAnswer(User),
      errors: ['user_not_found'],
    }),
    async (request, reply) =>
      reply.send(
        await changeUser(
          dependencies,
          request.params.login,
          readChange(request),
          actingLogin(request),
        ),
      ),
  )
  app.delete<Named>(
    USER,
    route('admin', 'Access', {
      role: 'owner',
      id: 'deleteUser',
      summary: 'Delete a user',
      description: 'Also ends all sessions of the user. You cannot delete your own account.',
      success: jsonAnswer(DeletedUser, 'Deleted.'),
      errors: ['user_not_found'],
    }),
    (request) => deleteUser(dependencies, request.params.login, actingLogin(request)),
  )
}

function userSessionRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  app.get<Named>(
    `${USER}/sessions`,
    route('admin', 'Access', {
      role: 'owner',
      id: 'listUserSessions',
      summary: 'List the sessions of a user',
      success: jsonAnswer(SessionList, 'Oldest first.'),
      errors: ['user_not_found'],
    }),
    (request, reply) => {
      const { actor } = request
      const own = actor?.kind === 'user' ? actor.session : undefined
      return reply.send(listSessions(dependencies, request.params.login, own))
    },
  )
  app.delete<Named>(
    `${USER}/sessions`,
    route('admin', 'Access', {
      role: 'owner',
      id: 'endUserSessions',
      summary: 'End all sessions of a user',
      success: jsonAnswer(EndedSessions, 'The sessions are no longer valid.'),
      errors: ['user_not_found'],
    }),
    (request) => endSessions(dependencies, request.params.login),
  )
  app.delete<{ Params: { login: string; session_id: string } }>(
    `${USER}/sessions/:session_id`,
    route('admin', 'Access', {
      role: 'owner',
      id: 'endUserSession',
      summary: 'End a session of a user',
      success: jsonAnswer(EndedSessions, 'The session is no longer valid.'),
      errors: ['user_not_found', 'session_not_found'],
    }),
    async (request, reply) => {
      const { login, session_id: sessionId } = request.params
      return reply.send(await endSession(dependencies, login, sessionId))
    },
  )
}

/** Rotates the admin token and serves the audit log. */
function administrationRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  app.post(
    '/api/v1/admin/token/rotate',
    route('admin', 'Access', {
      role: 'owner',
      id: 'rotateAdminToken',
      summary: 'Rotate the admin token',
      description:
        'The previous token is invalid on every thread once this responds. 403 if the token comes from the configuration: change it there.',
      success: jsonAnswer(RotatedAdminToken, 'Shown only here.'),
    }),
    async (_request, reply) =>
      reply.send({ admin_token: await dependencies.access.rotateAdminToken() }),
  )
  app.get(
    '/api/v1/admin/audit',
    route('admin', 'Access', {
      role: 'owner',
      id: 'listAudit',
      summary: 'Read the audit log',
      description:
        'Who did what, when, from where, and with which result; newest first. A page may have fewer entries than `limit` and still be followed by another.',
      query: AuditQuery as TObject,
      success: jsonAnswer(AuditPage, 'One page.'),
      errors: ['invalid_parameter'],
    }),
    async (request, reply) => {
      const query = readQuery(decodeQuery(AuditQuery, request.query as Record<string, string>))
      // While the disk refuses writes, the newest refusals are missing from the log.
      await dependencies.access.writeRefusals().catch(() => undefined)
      return reply.send(await readAudit(dependencies.audit, query))
    },
  )
}

/** The user who makes the request; undefined: the holder of the admin token. */
function actingLogin({ actor }: FastifyRequest): string | undefined {
  return actor?.kind === 'user' ? actor.login : undefined
}
