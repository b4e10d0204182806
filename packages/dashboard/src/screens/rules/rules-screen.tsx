import type { ReactNode } from 'react'
import { useUrlState } from '../../state/url-state.ts'
import { ErrorState, Skeleton, EmptyState } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchX } from 'lucide-react'
import { LinkButton } from '../../ui/button.tsx'
import { storePath, useStore } from '../../session/store.ts'
import { RuleEditor } from './rule-editor.tsx'
import { RulesList } from './rules-list.tsx'
import { useRules } from './rules-data.ts'
import './rules.css'

/** `?rule=ID` opens a rule, `?new=true&q=QUERY` starts a new one; otherwise the list is shown. */
export function RulesScreen(): ReactNode {
  const { storeId } = useStore()
  const rules = useRules()
  const [ruleId] = useUrlState('rule')
  const [isNew] = useUrlState('new')
  const list = storePath(storeId, 'rules')
  if (ruleId === '' && isNew === '') return <RulesList rules={rules} />
  const saved = rules.query.data?.find(({ id }) => id === ruleId)
  if (rules.query.data !== undefined && (isNew !== '' || saved !== undefined)) {
    return <RuleEditor key={saved?.id ?? ''} saved={saved} rules={rules} all={rules.query.data} />
  }
  return (
    <Page title={ruleId === '' ? 'New rule' : ruleId} above={[{ label: 'Rules', to: list }]}>
      {rules.query.isError ? (
        <ErrorState error={rules.query.error} onRetry={() => void rules.query.refetch()} />
      ) : rules.query.isPending ? (
        <Skeleton height={400} />
      ) : (
        <EmptyState
          icon={SearchX}
          title="There is no rule of this id"
          action={<LinkButton to={list}>Show all rules</LinkButton>}
        >
          It was deleted, or the link is wrong.
        </EmptyState>
      )}
    </Page>
  )
}
