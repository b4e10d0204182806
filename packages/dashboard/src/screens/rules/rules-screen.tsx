import type { ReactNode } from 'react'
import { useUrlState } from '../../state/url-state.ts'
import { storePath, useStore } from '../../session/store.ts'
import { RuleEditor } from './rule-editor.tsx'
import { RulesList } from './rules-list.tsx'
import { useRules } from './rules-data.ts'
import { MissingPage } from '../../parts/list-page.tsx'
import './rules.css'

/** `?rule=ID` opens a rule, `?new=true&q=QUERY` starts a new one; otherwise the list is shown. */
export function RulesScreen(): ReactNode {
  const { storeId } = useStore()
  const rules = useRules()
  const [ruleId] = useUrlState('rule')
  const [isNew] = useUrlState('new')
  if (ruleId === '' && isNew === '') return <RulesList rules={rules} />
  const saved = rules.query.data?.find(({ id }) => id === ruleId)
  if (rules.query.data !== undefined && (isNew !== '' || saved !== undefined)) {
    return <RuleEditor key={saved?.id ?? ''} saved={saved} rules={rules} all={rules.query.data} />
  }
  return (
    <MissingPage
      title={ruleId === '' ? 'New rule' : ruleId}
      list={{ label: 'Rules', to: storePath(storeId, 'rules') }}
      query={rules.query}
      kind="rule"
    />
  )
}
