import { useState } from 'react'

export type Selection = {
  keys: ReadonlySet<string>
  set: (keys: string[], isSelected: boolean) => void
  /** Replaces the selection. */
  replace: (keys: string[]) => void
}

/** The strings that are selected in a list. In another list nothing is: what cannot be seen is not acted on. */
export function useSelection(list: string): Selection {
  const [state, setState] = useState<{ list: string; keys: ReadonlySet<string> }>({ list, keys: new Set() })
  const keys = state.list === list ? state.keys : new Set<string>()
  return {
    keys,
    set: (changed, isSelected) => {
      const next = new Set(keys)
      for (const key of changed)
        if (isSelected) next.add(key)
        else next.delete(key)
      setState({ list, keys: next })
    },
    replace: (chosen) => setState({ list, keys: new Set(chosen) }),
  }
}
