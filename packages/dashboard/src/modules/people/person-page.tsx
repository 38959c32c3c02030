import { useParams } from 'react-router'
import { ApiError } from '../../api.ts'
import { Failure } from '../../ui/failure.tsx'
import { usePerson } from './api.ts'
import { useEnvironment } from '../../ui/environment.tsx'
import { LoadingPerson, NobodyHere, PersonFrame, PersonView } from './person-view.tsx'
import { useTexts } from './texts.ts'
import { idOfSegment } from '../../person-path.ts'

/** The page of a person with a user id. */
export function PersonPage() {
  const t = useTexts()
  const userId = idOfSegment(useParams()['userId'] ?? '')
  const [environment] = useEnvironment()
  const subject = { id: userId, environment }
  const { data, error, refetch, isPlaceholderData } = usePerson(subject)
  if (error instanceof ApiError && error.status === 404) return <NobodyHere title={t('notFoundTitle')} environment={environment} />
  if (error)
    return (
      <PersonFrame title={userId} environment={environment}>
        <Failure error={error} onRetry={() => void refetch()} />
      </PersonFrame>
    )
  if (!data || isPlaceholderData) return <LoadingPerson title={userId} environment={environment} />
  return <PersonView person={data} subject={subject} />
}
