import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** A value that lives in the address, so a view can be shared and the back button works. The default is not written. */
export function useUrlState(name: string, byDefault = ''): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (value: string) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (value === byDefault) next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: true },
      ),
    [name, byDefault, setParams],
  )
  return [params.get(name) ?? byDefault, set]
}

/** One of a few values, kept in the address; any other value there, as of an old link, means the default. */
export function useUrlChoice<T extends string>(name: string, choices: readonly T[], byDefault: T): [T, (value: string | null) => void] {
  const [text, setText] = useUrlState(name, byDefault)
  const set = useCallback((value: string | null) => setText(value ?? byDefault), [byDefault, setText])
  return [choices.find((choice) => choice === text) ?? byDefault, set]
}
