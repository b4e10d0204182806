import { RotateCcw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { SearchField } from '../ui/text-field.tsx'
import { Badge } from '../ui/badge.tsx'
import { ParameterControl } from './parameter-control.tsx'
import { PARAMETER_GROUPS, type Parameter, type ParameterName } from './parameters.ts'
import type { GivenParameters } from './parameter-text.ts'
import './parameter-panel.css'

export interface ParameterPanelProps {
  readonly given: GivenParameters
  /** `undefined` restores the default. */
  readonly set: (name: ParameterName, value: unknown) => void
  readonly reset: () => void
  /** Parameters to leave out. */
  readonly without?: ReadonlySet<ParameterName>
}

/** Every parameter of a search as a control, by subject. */
export function ParameterPanel({ given, set, reset, without }: ParameterPanelProps): ReactNode {
  const [wanted, setWanted] = useState('')
  const needle = wanted.trim().toLowerCase()
  const isShown = ({ name, label, about }: Parameter): boolean =>
    without?.has(name) !== true && `${name} ${label} ${about}`.toLowerCase().includes(needle)
  const count = Object.keys(given).length
  const groups = PARAMETER_GROUPS.map(({ title, parameters }) => ({
    title,
    parameters: parameters.filter(isShown),
    changed: parameters.filter(({ name }) => given[name] !== undefined).length,
  })).filter(({ parameters }) => parameters.length > 0)
  return (
    <div className="stack gap-4">
      <div className="row row-whole">
        <SearchField label="Find a parameter" value={wanted} onChange={setWanted} />
        <Button size="small" variant="ghost" isDisabled={count === 0} onPress={reset}>
          {count === 0 ? 'Reset' : `Reset ${count}`}
        </Button>
      </div>
      {groups.map(({ title, parameters, changed }, i) => (
        <details
          key={title}
          className="parameter-group"
          open={needle !== '' || i < 2 || changed > 0}
        >
          <summary>
            <span className="grow">{title}</span>
            {changed > 0 && <Badge kind="accent">{changed} set</Badge>}
          </summary>
          <div className="parameter-group-body stack gap-16">
            {parameters.map((parameter) => (
              <div key={parameter.name} className={`parameter parameter-${parameter.control.kind}`}>
                <div className="parameter-head">
                  <span className="strong">{parameter.label}</span>
                  <code className="muted">{parameter.name}</code>
                  {given[parameter.name] !== undefined && (
                    <IconButton
                      label={`Reset ${parameter.label}`}
                      icon={RotateCcw}
                      onPress={() => set(parameter.name, undefined)}
                    />
                  )}
                </div>
                <div className="parameter-control stack gap-6">
                  <ParameterControl
                    parameter={parameter}
                    value={given[parameter.name]}
                    onChange={(value) => set(parameter.name, value)}
                  />
                </div>
                <p className="small muted parameter-about">{withCode(parameter.about)}</p>
              </div>
            ))}
          </div>
        </details>
      ))}
      {groups.length === 0 && <p className="muted small">No parameter has this name.</p>}
    </div>
  )
}

/** Text in backticks is code. */
function withCode(text: string): ReactNode {
  return text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))
}
