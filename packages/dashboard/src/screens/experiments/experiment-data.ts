import type { Experiment } from '@aisle/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRefresh, useStore } from '../../session/store.ts'
import { toast } from '../../state/toasts.ts'

export function useExperiments() {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['experiments', storeId],
    queryFn: async () => (await calls.experiments()).experiments,
  })
}

/** @param tag only searches with this tag; empty: all */
export function useExperiment(id: string, tag: string) {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['experiments', storeId, id, tag],
    queryFn: () => calls.experiment(id, { by_tag: true, ...(tag === '' ? {} : { tags: [tag] }) }),
  })
}

/** Ends an experiment, or publishes its draft. */
export function useEnd({ id, name }: Pick<Experiment, 'id' | 'name'>) {
  const { calls } = useStore()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (how: 'end' | 'publish') => {
      if (how === 'end') await calls.endExperiment(id)
      else await calls.publishExperiment(id)
      await refresh(
        'experiments',
        'settings',
        'rules',
        'synonym-sets',
        'stopword-sets',
        'presets',
        'search',
      )
      toast(how === 'end' ? `Ended “${name}”` : `“${name}” is live for all visitors`, 'good')
    },
  })
}
