import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  AUDIT_PAGE_DEFAULT,
  AUDIT_PAGE_MAX,
  FIRST_RUN_SECRET_MAX_CHARS,
  LOGIN_MAX_CHARS,
  PASSWORD_MAX_CHARS,
  PASSWORD_MIN_CHARS,
  STORE_ID_MAX_CHARS,
  STORES_PER_MEMBER_MAX,
} from './limits.ts'

/** The roles of users; each includes the ones before it. */
export const ROLES = ['analyst', 'editor', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** What a user may be: a role in all stores, or a member of some. */
export const USER_ROLES = ['member', ...ROLES] as const
export type UserRole = (typeof USER_ROLES)[number]
/** The roles in one store. Owners own the whole service. */
export const STORE_ROLES = ['analyst', 'editor'] as const
export type StoreRole = (typeof STORE_ROLES)[number]

const role = Type.Enum([...USER_ROLES], {
  $id: 'Role',
  description:
    'In all stores: `analyst` reads, `editor` changes what is in stores, `owner` also manages stores, keys, users and snapshots. `member`: only the roles in `stores`.',
})
const stores = Type.Record(
  Type.String({ minLength: 1, maxLength: STORE_ID_MAX_CHARS }),
  Type.Enum([...STORE_ROLES]),
  {
    maxProperties: STORES_PER_MEMBER_MAX,
    description:
      'Roles of a `member`, by store id: `analyst` or `editor`. A member cannot see other stores. Only with the role `member`.',
    examples: [{ shop: 'editor', outlet: 'analyst' }],
  },
)
const login = Type.String({
  minLength: 1,
  maxLength: LOGIN_MAX_CHARS,
  description: 'Login name, e.g. an e-mail address. Not case-sensitive.',
})
const password = Type.String({
  minLength: PASSWORD_MIN_CHARS,
  maxLength: PASSWORD_MAX_CHARS,
  writeOnly: true,
  description: 'Stored only as an argon2id hash.',
})
/** Checks accept a password of any length, so that a wrong one is always the same error. */
const givenPassword = Type.String({
  minLength: 1,
  maxLength: PASSWORD_MAX_CHARS,
  writeOnly: true,
})

export const User = Type.Object(
  {
    login,
    role,
    stores: Type.Optional(stores),
    created_at: Type.String({ format: 'date-time' }),
    password_changed_at: Type.String({ format: 'date-time' }),
    last_login_at: Optional.String({ format: 'date-time' }),
  },
  { $id: 'User' },
)
export type User = Static<typeof User>

export const UserList = Type.Object({ users: Type.Array(User) }, { $id: 'UserList' })
export type UserList = Static<typeof UserList>

export const CreateUserRequest = Type.Object(
  { login, role, stores: Type.Optional(stores), password },
  { $id: 'CreateUserRequest' },
)
export type CreateUserRequest = Static<typeof CreateUserRequest>

export const ChangeUserRequest = Type.Object(
  {
    role: Type.Optional(role),
    stores: Type.Optional(stores),
    password: Type.Optional(password),
  },
  {
    $id: 'ChangeUserRequest',
    description:
      'Ends all sessions of the user. `stores` replaces all store roles of a member; any role but `member` removes them.',
  },
)
export type ChangeUserRequest = Static<typeof ChangeUserRequest>

export const DeletedUser = Type.Object(
  { login: Type.String(), status: Type.Literal('deleted') },
  { $id: 'DeletedUser' },
)
export type DeletedUser = Static<typeof DeletedUser>

export const LoginRequest = Type.Object({ login, password: givenPassword }, { $id: 'LoginRequest' })
export type LoginRequest = Static<typeof LoginRequest>

const firstRunSecret = Type.String({
  minLength: 1,
  maxLength: FIRST_RUN_SECRET_MAX_CHARS,
  writeOnly: true,
  description: 'From the link that the service prints at startup while it has no users.',
})

export const CheckFirstOwnerRequest = Type.Object(
  { secret: firstRunSecret },
  { $id: 'CheckFirstOwnerRequest' },
)
export type CheckFirstOwnerRequest = Static<typeof CheckFirstOwnerRequest>

export const CheckedFirstOwner = Type.Object(
  { status: Type.Literal('valid') },
  { $id: 'CheckedFirstOwner' },
)
export type CheckedFirstOwner = Static<typeof CheckedFirstOwner>

export const CreateFirstOwnerRequest = Type.Object(
  { secret: firstRunSecret, login, password },
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
    stores: Type.Optional(stores),
    session_id: Type.String(),
    csrf_token: Type.String({
      description: 'Send it as `x-csrf-token` with every request except GET.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Latest expiry; an idle session expires sooner.',
    }),
    image_hosts: Type.Array(Type.String(), {
      description:
        'Additional origins that the dashboard may load product images from, set by an option of the service. `*.` matches any subdomain.',
      examples: [['https://images.example.com', 'https://*.example.net']],
    }),
  },
  { $id: 'CurrentSession' },
)
export type CurrentSession = Static<typeof CurrentSession>

export const Session = Type.Object(
  {
    session_id: Type.String({ description: 'Identifies the session; it is not a credential.' }),
    login: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.String({ format: 'date-time', description: 'Precise to the minute.' }),
    expires_at: Type.String({ format: 'date-time' }),
    address: Type.String({ description: 'IP address of the login.' }),
    user_agent: Type.String(),
    current: Type.Boolean({ description: 'Whether this request uses the session.' }),
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
  {
    admin_token: Type.String({
      description: 'Grants access to the admin routes; shown only once.',
    }),
  },
  { $id: 'RotatedAdminToken' },
)
export type RotatedAdminToken = Static<typeof RotatedAdminToken>

/** The kind of credential that a request carries. */
export const ACTOR_KINDS = ['admin_token', 'user', 'store_key', 'nobody'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export const AuditEntry = Type.Object(
  {
    id: Type.Integer({
      description: 'Ascending. Gaps are entries that have been removed.',
    }),
    at: Type.String({ format: 'date-time' }),
    actor: Type.Enum([...ACTOR_KINDS], {
      description: '`nobody`: a failed login or a wrong admin token.',
    }),
    login: Optional.String({ description: 'Login of the user who acted.' }),
    action: Type.String({ description: 'Operation id in this document.' }),
    store_id: Optional.String(),
    target: Optional.String({ description: 'What was changed: a login, a name, a kind of key.' }),
    result: Type.Enum(['done', 'refused', 'failed']),
    count: Optional.Integer({
      minimum: 2,
      description: 'Number of identical refusals within that minute; the entry shows the first.',
    }),
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    code: Optional.String({ description: 'Error code of the response.' }),
    address: Type.String({
      description: '`several`: refusals from more networks than are listed separately per minute.',
    }),
    user_agent: Type.String(),
    request_id: Type.String(),
  },
  { $id: 'AuditEntry', description: 'Who did what, when, from where, and with what result.' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = Type.Object(
  {
    entries: Type.Array(AuditEntry, { description: 'Newest first.' }),
    next_before: Optional.Integer({
      description: 'Pass it as `before` to get the next page. Absent on the last page.',
    }),
  },
  { $id: 'AuditPage' },
)
export type AuditPage = Static<typeof AuditPage>

/** Ids count up from 1, and have 6 bytes on disk. */
const AUDIT_ID_MAX = 2 ** 48 - 1

export const AuditQuery = Type.Object(
  {
    login: Optional.String({ description: 'Only actions of this user.' }),
    actor: Optional.Enum([...ACTOR_KINDS]),
    action: Optional.String({ description: 'e.g. `rotateKey`.' }),
    store_id: Optional.String(),
    target: Optional.String(),
    result: Optional.Enum(['done', 'refused', 'failed']),
    from: Optional.String({ description: 'ISO 8601, inclusive.' }),
    to: Optional.String({ description: 'ISO 8601, exclusive.' }),
    before: Optional.Integer({
      minimum: 1,
      maximum: AUDIT_ID_MAX,
      description: 'Entries older than this id: `next_before` of the previous page.',
    }),
    limit: Optional.Integer({ minimum: 1, maximum: AUDIT_PAGE_MAX, default: AUDIT_PAGE_DEFAULT }),
  },
  { $id: 'AuditQuery' },
)
export type AuditQuery = Static<typeof AuditQuery>
