import {
  ApiError,
  DRAFT_RESOURCES_MAX,
  DRAFT_SETTINGS,
  isObject,
  PutPresetRequest,
  PutRuleRequest,
  PutStopwordSetRequest,
  PutSynonymSetRequest,
  type GivenSettings,
  type TObject,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import { exactJson } from '../../domain/json/json-exact.ts'
import { checkResourceName } from '../../domain/store/resource-name.ts'
import type { ResourceName } from '../../domain/store/resource.ts'
import { Gradual, madeInTurns, type Steps, type YieldingWork } from '../../domain/turns/gradual.ts'
import type { Resource } from '../../ports/catalog/resource-reader.ts'
import { nestedError } from '../nested-error.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { keptRule } from '../store/put-rule.ts'
import { keptStopwordSet, keptSynonymSet } from '../store/put-sets.ts'
import { DRAFT_KINDS, draftSettings, type CheckedDraft } from '../store/relevance-draft.ts'
import { currentSettings } from '../store/store-settings.ts'
import { checkPreset } from './put-preset.ts'

export type DraftPorts = Pick<ServicePorts, 'resources' | 'backend' | 'clock'>

interface DraftPart {
  readonly request: TObject
  readonly keep: (ports: DraftPorts, storeId: string, name: string, value: never) => Steps<object>
}

/** Parts of a draft that name resources. */
const PARTS: Readonly<Record<keyof typeof DRAFT_KINDS, DraftPart>> = {
  synonym_sets: {
    request: PutSynonymSetRequest,
    keep: (ports, storeId, _, value) => keptSynonymSet(ports, storeId, value),
  },
  stopword_sets: {
    request: PutStopwordSetRequest,
    keep: (ports, storeId, _, value) => keptStopwordSet(ports, storeId, value),
  },
  rules: {
    request: PutRuleRequest,
    *keep(ports, storeId, name, value) {
      yield
      return keptRule(ports, storeId, name, value)
    },
  },
  presets: {
    request: PutPresetRequest,
    *keep({ clock, ...ports }, storeId, _, { value }: PutPresetRequest) {
      yield
      checkPreset(openView(ports, storeId), value, clock.now())
      return { value }
    },
  },
}

/**
 * Checks a draft in turns: its sets may have thousands of items.
 *
 * @param draft as sent, unchecked
 * @throws ApiError with a parameter that begins with `draft`
 */
export async function checkDraft(
  ports: DraftPorts,
  storeId: string,
  draft: unknown,
  work: YieldingWork,
): Promise<CheckedDraft> {
  const checked = new Gradual(() => check(ports, storeId, draft))
  try {
    await madeInTurns([checked], work)
    return checked.value
  } catch (error) {
    throw error instanceof ApiError ? nestedError('draft', error) : error
  }
}

function* check(ports: DraftPorts, storeId: string, draft: unknown): Steps<CheckedDraft> {
  if (!isObject(draft)) throw new ApiError('invalid_parameter', 'A draft must be a JSON object')
  const puts: Resource[] = []
  const removes: ResourceName[] = []
  const patches: Record<string, unknown> = {}
  for (const [part, value] of Object.entries(draft)) {
    if (DRAFT_SETTINGS.includes(part)) {
      patches[part] = value
      continue
    }
    if (!isPart(part)) {
      const parts = [...DRAFT_SETTINGS, ...Object.keys(PARTS)].join('`, `')
      throw refused(part, `A draft may have only \`${parts}\``)
    }
    const entries = isObject(value) ? Object.entries(value) : []
    if (!isObject(value) || entries.length > DRAFT_RESOURCES_MAX) {
      throw refused(
        part,
        `Parameter \`${part}\` must be an object of at most ${DRAFT_RESOURCES_MAX} members`,
      )
    }
    for (const [name, one] of entries) {
      checkResourceName(name, part)
      if (one === null) removes.push({ kind: DRAFT_KINDS[part], name })
      else puts.push(yield* checkedResource(ports, storeId, part, name, one))
      yield
    }
  }
  const { analyzer, schema = NO_SCHEMA } = openView(ports, storeId)
  const settings = (given: GivenSettings): GivenSettings =>
    draftSettings(given, patches, schema, analyzer)
  settings(currentSettings(ports.resources.of(storeId)).settings)
  return { draft: patches, settings, puts, removes }
}

function isPart(name: string): name is keyof typeof DRAFT_KINDS {
  return Object.hasOwn(PARTS, name)
}

const PART_MAX_CHARS = 100

function refused(part: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, {
    param: part.slice(0, PART_MAX_CHARS).toWellFormed(),
  })
}

function* checkedResource(
  ports: DraftPorts,
  storeId: string,
  part: keyof typeof DRAFT_KINDS,
  name: string,
  value: unknown,
): Steps<Resource> {
  const { request, keep } = PARTS[part]
  try {
    const given = parameterReader(request)(value) as never
    yield
    const kept = yield* keep(ports, storeId, name, given)
    yield
    return { kind: DRAFT_KINDS[part], name, json: exactJson(kept) }
  } catch (error) {
    throw error instanceof ApiError ? nestedError(`${part}.${name}`, error) : error
  }
}
