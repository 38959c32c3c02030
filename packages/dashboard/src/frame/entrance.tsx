import { Navigate } from 'react-router'
import { ApiError } from '../api.ts'
import { firstWorkspace, useMe } from '../session.tsx'
import { Failure } from '../ui/failure.tsx'
import { Loading } from './loading.tsx'
import { NoWorkspace } from './no-workspace.tsx'

/** `/`: to the workspace that was open last, or to sign in. */
export function Entrance() {
  const { data: me, error, refetch } = useMe()
  if (error instanceof ApiError && error.status === 401) return <Navigate to="/login" replace />
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!me) return <Loading />
  const workspace = firstWorkspace(me)
  return workspace ? <Navigate to={`/w/${workspace.id}`} replace /> : <NoWorkspace me={me} />
}
