import type { Static } from 'typebox'
import { Type } from './type.ts'
import {
  AUDIT_PAGE_DEFAULT,
  AUDIT_PAGE_MAX,
  FIRST_RUN_SECRET_MAX_CHARS,
  LOGIN_MAX_CHARS,
  PASSWORD_MAX_CHARS,
  PASSWORD_MIN_CHARS,
} from './limits.ts'

/** The roles of users; each includes the ones before it. */
export const ROLES = ['analyst', 'editor', 'owner'] as const
export type Role = (typeof ROLES)[number]

const role = Type.Enum([...ROLES], {
  $id: 'Role',
  description:
    '`analyst` reads, `editor` changes what is in stores, `owner` also stores, keys, users and snapshots.',
})
const login = Type.String({
  minLength: 1,
  maxLength: LOGIN_MAX_CHARS,
  description: 'Name to log in with, e.g. an e-mail address. Upper and lower case are the same.',
})
const password = Type.String({
  minLength: PASSWORD_MIN_CHARS,
  maxLength: PASSWORD_MAX_CHARS,
  writeOnly: true,
  description: 'Kept as an argon2id hash only.',
})
/** A password of any length may be tried. */
const givenPassword = Type.String({
  minLength: 1,
  maxLength: PASSWORD_MAX_CHARS,
  writeOnly: true,
})

export const User = Type.Object(
  {
    login,
    role,
    created_at: Type.String({ format: 'date-time' }),
    password_changed_at: Type.String({ format: 'date-time' }),
    last_login_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'User' },
)
export type User = Static<typeof User>

export const UserList = Type.Object({ users: Type.Array(User) }, { $id: 'UserList' })
export type UserList = Static<typeof UserList>

export const CreateUserRequest = Type.Object(
  { login, role, password },
  { $id: 'CreateUserRequest' },
)
export type CreateUserRequest = Static<typeof CreateUserRequest>

export const ChangeUserRequest = Type.Object(
  { role: Type.Optional(role), password: Type.Optional(password) },
  { $id: 'ChangeUserRequest', description: 'Ends all sessions of the user.' },
)
export type ChangeUserRequest = Static<typeof ChangeUserRequest>

export const DeletedUser = Type.Object(
  { login: Type.String(), status: Type.Literal('deleted') },
  { $id: 'DeletedUser' },
)
export type DeletedUser = Static<typeof DeletedUser>

export const LoginRequest = Type.Object({ login, password: givenPassword }, { $id: 'LoginRequest' })
export type LoginRequest = Static<typeof LoginRequest>

export const CreateFirstOwnerRequest = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: FIRST_RUN_SECRET_MAX_CHARS,
      writeOnly: true,
      description: 'Of the link that the service prints at its start while it has no user.',
    }),
    login,
    password,
  },
  { $id: 'CreateFirstOwnerRequest' },
)
export type CreateFirstOwnerRequest = Static<typeof CreateFirstOwnerRequest>

export const ChangePasswordRequest = Type.Object(
  { current_password: givenPassword, new_password: password },
  { $id: 'ChangePasswordRequest' },
)
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>

/** The session of the caller. Scripts cannot read its cookie. */
export const CurrentSession = Type.Object(
  {
    login: Type.String(),
    role,
    session_id: Type.String(),
    csrf_token: Type.String({
      description: 'To be sent as `x-csrf-token` with every request that is not a GET.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'At the latest; without requests it ends sooner.',
    }),
    image_hosts: Type.Array(Type.String(), {
      description:
        'Origins that the pages of the dashboard may load pictures of products from, besides the service: an option of the service. `*.` stands for every host below.',
      examples: [['https://images.example.com', 'https://*.example.net']],
    }),
  },
  { $id: 'CurrentSession' },
)
export type CurrentSession = Static<typeof CurrentSession>

export const Session = Type.Object(
  {
    session_id: Type.String({ description: 'Names the session; opens nothing.' }),
    login: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.String({ format: 'date-time', description: 'To the minute.' }),
    expires_at: Type.String({ format: 'date-time' }),
    address: Type.String({ description: 'From where it was begun.' }),
    user_agent: Type.String(),
    current: Type.Boolean({ description: 'It is the session of this request.' }),
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>

export const SessionList = Type.Object({ sessions: Type.Array(Session) }, { $id: 'SessionList' })
export type SessionList = Static<typeof SessionList>

export const EndedSessions = Type.Object(
  { status: Type.Literal('ended'), sessions_ended: Type.Integer() },
  { $id: 'EndedSessions' },
)
export type EndedSessions = Static<typeof EndedSessions>

export const RotatedAdminToken = Type.Object(
  { admin_token: Type.String({ description: 'Opens the admin routes; shown only here.' }) },
  { $id: 'RotatedAdminToken' },
)
export type RotatedAdminToken = Static<typeof RotatedAdminToken>

/** The kind of credential of a request. */
export const ACTOR_KINDS = ['admin_token', 'user', 'store_key', 'nobody'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export const AuditEntry = Type.Object(
  {
    id: Type.Integer({
      description: 'Ascends. Numbers that are missing were of entries that have gone.',
    }),
    at: Type.String({ format: 'date-time' }),
    actor: Type.Enum([...ACTOR_KINDS], {
      description: '`nobody`: a login that failed, or a wrong admin token.',
    }),
    login: Type.Optional(Type.String({ description: 'Of the user who acted.' })),
    action: Type.String({ description: 'Name of the operation in this document.' }),
    store_id: Type.Optional(Type.String()),
    target: Type.Optional(
      Type.String({ description: 'What it was done to: a login, a name, a kind of key.' }),
    ),
    result: Type.Enum(['done', 'refused', 'failed']),
    count: Type.Optional(
      Type.Integer({
        minimum: 2,
        description: 'So many requests of that minute were refused alike; the entry has the first.',
      }),
    ),
    status: Type.Integer({ description: 'HTTP status of the answer.' }),
    code: Type.Optional(Type.String({ description: 'Error code of the answer.' })),
    address: Type.String({
      description: '`several`: refusals from more networks than are told apart in a minute.',
    }),
    user_agent: Type.String(),
    request_id: Type.String(),
  },
  { $id: 'AuditEntry', description: 'Who did what, when, from where, and what came of it.' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = Type.Object(
  {
    entries: Type.Array(AuditEntry, { description: 'The newest first.' }),
    next_before: Type.Optional(
      Type.Integer({
        description: 'There may be more: ask again with `before` set to this. Absent at the end.',
      }),
    ),
  },
  { $id: 'AuditPage' },
)
export type AuditPage = Static<typeof AuditPage>

/** Ids count up from 1, and have 6 bytes on disk. */
const AUDIT_ID_MAX = 2 ** 48 - 1

export const AuditQuery = Type.Object(
  {
    login: Type.Optional(Type.String({ description: 'Acts of this user.' })),
    actor: Type.Optional(Type.Enum([...ACTOR_KINDS])),
    action: Type.Optional(Type.String({ description: 'e.g. `rotateKey`.' })),
    store_id: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    result: Type.Optional(Type.Enum(['done', 'refused', 'failed'])),
    from: Type.Optional(Type.String({ description: 'ISO 8601, inclusive.' })),
    to: Type.Optional(Type.String({ description: 'ISO 8601, exclusive.' })),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: AUDIT_ID_MAX,
        description: 'Entries older than this id: `next_before` of the page before.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: AUDIT_PAGE_MAX, default: AUDIT_PAGE_DEFAULT }),
    ),
  },
  { $id: 'AuditQuery' },
)
export type AuditQuery = Static<typeof AuditQuery>
