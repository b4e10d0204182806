import { ServiceActivity, type BackgroundJob } from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { roleEverywhere, roleIn } from '../../domain/access/roles.ts'
import type { StoreRegistry } from '../../ports/catalog/store-registry.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'

/** Shows operators what the service is doing. */
export function activityRoutes(
  app: FastifyInstance,
  { activity, registry }: AppDependencies,
): void {
  app.get(
    '/api/v1/admin/activity',
    route('admin', 'Service', {
      role: 'analyst',
      perStore: true,
      id: 'getActivity',
      summary: 'Read slow searches, refused requests, background jobs and threads',
      description:
        'Covers the time since the service started. Search terms are shown only to owners and to the admin token. A `member` gets only what concerns their stores, and no threads.',
      success: jsonAnswer(ServiceActivity),
    }),
    async (request, reply) => {
      const found = await activity.read()
      const whole = { ...found, jobs: [...(await analyses(registry)), ...found.jobs] }
      const seen = seenBy(request, registry, whole)
      return reply.send({
        ...seen,
        slow_searches: mayReadQueries(request)
          ? seen.slow_searches
          : seen.slow_searches.map(({ q: _, ...search }) => search),
      })
    },
  )
}

/** What a member of some stores sees: these stores. */
function seenBy(
  { actor }: FastifyRequest,
  registry: StoreRegistry,
  whole: ServiceActivity,
): ServiceActivity {
  if (actor?.kind !== 'user' || roleEverywhere(actor.rights) !== undefined) return whole
  const isSeen = ({ store_id: id }: { readonly store_id?: string }): boolean => {
    const store = id === undefined ? undefined : registry.find(id)
    return store !== undefined && roleIn(actor.rights, store) !== undefined
  }
  return {
    ...whole,
    slow_searches: whole.slow_searches.filter(isSeen),
    refusals: whole.refusals.filter(isSeen),
    jobs: whole.jobs.filter(isSeen),
    threads: [],
  }
}

function mayReadQueries({ actor }: FastifyRequest): boolean {
  return actor?.kind === 'admin_token' || (actor?.kind === 'user' && actor.rights.role === 'owner')
}

/** Stores whose documents are being analysed in another language; one runs at a time. */
async function analyses(registry: StoreRegistry): Promise<BackgroundJob[]> {
  const jobs: BackgroundJob[] = []
  for (const { storeId } of registry.list()) {
    const { reanalysis } = await registry.statistics(storeId)
    if (reanalysis === undefined || reanalysis.failed) continue
    const { documentsDone, documentsTotal } = reanalysis
    jobs.push({
      kind: 'analysis',
      store_id: storeId,
      state: documentsDone === 0 ? 'waiting' : 'running',
      documents_done: documentsDone,
      documents_total: documentsTotal,
    })
  }
  return jobs
}
