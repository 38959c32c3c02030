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
