import type { SynonymItem } from '@aisle/client'
import { ArrowLeftRight, Download, Plus, Upload } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { useQuerySets, type QuerySet, type QuerySets } from '../../parts/query-sets.ts'
import { SetPage } from '../../parts/set-page.tsx'
import { useMay } from '../../session/session.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { EmptyState } from '../../ui/states.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { textColumn } from '../../ui/columns.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { perform } from '../../state/change.ts'
import { ItemPanel } from './item-panel.tsx'
import { PasteDialog } from './paste-dialog.tsx'
import { itemWords, withItem } from './synonym-items.ts'
import { TrafficSuggestions } from './traffic-suggestions.tsx'
import { stepsOf } from '../../ui/side-panel.tsx'
import { itemLine } from '../../parts/word-lines.ts'

/** A row of the table: an item and its place in the set. */
interface Row {
  readonly place: number
  readonly item: SynonymItem
}

const COLUMNS: readonly Column<Row>[] = [
  textColumn('typed', 'A query for', ({ item }) => item.root ?? item.synonyms.join(', '), {
    width: '32%',
    cell: ({ item }) => (
      <span className="strong">
        <Words words={item.root === undefined ? item.synonyms : [item.root]} />
      </span>
    ),
  }),
  textColumn(
    'direction',
    'Direction',
    ({ item }) => (item.root === undefined ? 'Both ways' : 'One way'),
    {
      width: '130px',
      cell: ({ item }) => (
        <Badge kind={item.root === undefined ? 'accent' : 'plain'}>
          {item.root === undefined ? 'Both ways' : 'One way'}
        </Badge>
      ),
    },
  ),
  textColumn(
    'finds',
    'Also finds',
    ({ item }) => (item.root === undefined ? 'each other' : item.synonyms.join(', ')),
    {
      isMain: true,
      cell: ({ item }) =>
        item.root === undefined ? (
          <span className="muted">each other</span>
        ) : (
          <Words words={item.synonyms} />
        ),
    },
  ),
]

/** Words of any script side by side; each keeps its own direction. */
function Words({ words }: { readonly words: readonly string[] }): ReactNode {
  return words.map((word, i) => (
    <Fragment key={word}>
      {i > 0 && ', '}
      <bdi>{word}</bdi>
    </Fragment>
  ))
}

/** Sets of words with the same meaning. */
export function SynonymsScreen(): ReactNode {
  const sets = useQuerySets<SynonymItem>('synonym-sets')
  const mayEdit = useMay('editor')
  const [open] = useUrlState('item')
  const change = useUrlChange()
  // `word` begins a new synonym, from a query in the reports; it goes when the panel does.
  const setOpen = (place: string): void => change({ item: place, word: undefined })
  const [isPasting, setPasting] = useState(false)
  return (
    <SetPage
      title="Synonyms"
      about="Words with the same meaning: a query for one also finds the others."
      icon={ArrowLeftRight}
      why="Visitors say “couch”, products say “sofa”. A synonym connects them, both ways or one way."
      entryName="synonym"
      sets={sets}
      suggestions={(set) => (
        <TrafficSuggestions
          setName={set?.name}
          onUndo={({ name, items, default: isDefault }) => {
            const accepted = { name, entries: items, isDefault }
            const before = sets.query.data?.find((one) => one.name === name)
            return before === undefined ? sets.remove(name, accepted) : sets.save(before, accepted)
          }}
        />
      )}
      actions={(set) => (
        <>
          <ActionMenu
            actions={[
              {
                label: 'Import synonyms',
                icon: Upload,
                isDisabled: !mayEdit,
                onAction: () => setPasting(true),
              },
              {
                label: 'Export',
                icon: Download,
                onAction: () =>
                  downloadText(`${set.name}.txt`, set.entries.map(itemLine).join('\n')),
              },
            ]}
          />
          <Button
            variant="primary"
            icon={Plus}
            isDisabled={!mayEdit}
            onPress={() => setOpen('new')}
          >
            Add synonym
          </Button>
          {isPasting && (
            <PasteDialog
              onClose={() => setPasting(false)}
              onAdd={(items) =>
                perform({
                  write: () =>
                    sets.change(set.name, (newest) => ({
                      ...newest,
                      entries: [...newest.entries, ...items],
                    })),
                  after: () => setPasting(false),
                  done: () => 'Synonyms added',
                  undo: (written) => sets.save(set, written),
                })
              }
            />
          )}
        </>
      )}
    >
      {(set) => <Items set={set} sets={sets} open={open} setOpen={setOpen} />}
    </SetPage>
  )
}

function Items({
  set,
  sets,
  open,
  setOpen,
}: {
  readonly set: QuerySet<SynonymItem>
  readonly sets: QuerySets<SynonymItem>
  readonly open: string
  readonly setOpen: (place: string) => void
}): ReactNode {
  const mayEdit = useMay('editor')
  const [typed, setTyped] = useUrlState('q', '', { isTyped: true })
  const wanted = typed.trim().toLocaleLowerCase()
  const rows = set.entries
    .map((item, place) => ({ place, item }))
    .filter(({ item }) => itemWords(item).some((word) => word.toLocaleLowerCase().includes(wanted)))
  const item = open === 'new' ? undefined : set.entries[Number(open)]
  const isOpen = open === 'new' ? mayEdit : open !== '' && item !== undefined
  const at = rows.findIndex(({ place }) => String(place) === open)

  return (
    <>
      <Table
        label="Synonyms"
        name="synonyms"
        rows={rows}
        total={set.entries.length}
        columns={COLUMNS}
        rowId={({ place }) => String(place)}
        onOpen={({ place }) => setOpen(String(place))}
        openRowId={open}
        tools={<SearchField label="Search synonyms" value={typed} onChange={setTyped} />}
        empty={
          <EmptyState
            icon={ArrowLeftRight}
            title={set.entries.length === 0 ? 'This set is empty' : 'No synonym matches'}
          >
            {set.entries.length === 0
              ? 'Add a synonym, or import a table.'
              : 'Try another word, or add one.'}
          </EmptyState>
        }
      />
      {isOpen && (
        <ItemPanel
          key={`${set.name}/${open}`}
          set={set}
          place={open}
          item={item}
          onClose={() => setOpen('')}
          {...stepsOf(rows, at, ({ place }) => setOpen(String(place)))}
          changeTo={(next) => ({
            write: () => sets.change(set.name, (newest) => withItem(newest, item, next)),
            after: () => setOpen(''),
            done: () => (next === undefined ? 'Synonym deleted' : 'Synonym saved'),
            undo: () => sets.change(set.name, (newest) => withItem(newest, next, item)),
          })}
          createWith={(next) => ({
            write: () => sets.save(withItem(set, item, next)),
            after: () => setOpen(''),
            done: () => 'Set created',
            undo: (written) => sets.remove(set.name, written),
          })}
        />
      )}
    </>
  )
}
