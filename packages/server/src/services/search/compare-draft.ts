import { ANSWER_MAX_CHARS } from '@aisle/contract'
import type { ServicePorts } from '../service-ports.ts'
import { draftResources } from '../store/relevance-draft.ts'
import { openView } from '../open-view.ts'
import { answerTooLarge } from './answer-size.ts'
import { takeText } from './answer-writer.ts'
import { checkDraft } from './check-draft.ts'
import { soloPace } from './request-pace.ts'
import type { SearchPorts } from './asked-search.ts'
import { search } from './search.ts'
import { withResources } from './view-with-resources.ts'

/**
 * Runs searches without and with a draft of settings, sets, rules and presets. They record no
 * events, are not counted, and do not use the cache.
 *
 * @param presentError returns the JSON text of an error, which replaces the result of its search
 * @returns JSON text
 * @throws ApiError if the draft is invalid
 */
export async function compareDraft(
  ports: SearchPorts & Pick<ServicePorts, 'resources'>,
  storeId: string,
  { draft: given, searches }: { readonly draft: unknown; readonly searches: readonly unknown[] },
  presentError: (error: unknown) => string,
  pace = soloPace(),
): Promise<string> {
  const checked = await checkDraft(ports, storeId, given, pace)
  const { resources } = openView(ports, storeId)
  const draft = draftResources(resources, checked)
  const drafted = { ...ports, backend: withResources(ports.backend, draft) }
  const trial = { nowMs: ports.clock.now() }
  let chars = 0
  const answer = async (by: SearchPorts, parameters: unknown): Promise<string> => {
    await pace.rest()
    try {
      const json = takeText((await search(by, storeId, parameters, pace, trial)).json)
      chars += json.length
      if (chars > ANSWER_MAX_CHARS) throw answerTooLarge()
      return json
    } catch (error) {
      return presentError(error)
    }
  }
  const results: string[] = []
  for (const parameters of searches) {
    const live = await answer(ports, parameters)
    const changed = await answer(drafted, parameters)
    results.push(`{"live":${live},"draft":${changed}}`)
  }
  return `{"results":[${results.join(',')}]}`
}
