-- Sends the requests of a file in turn. Each line: path, then header names and values, separated by tabs.
-- The name `@body` makes the request a POST with that body. All are formatted once, so that a request costs one table look-up here.
local requests, next = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local parts = {}
    for part in line:gmatch("[^\t]+") do parts[#parts + 1] = part end
    local headers = { Host = wrk.headers["Host"] }
    local body
    for i = 2, #parts, 2 do
      if parts[i] == "@body" then body = parts[i + 1] else headers[parts[i]] = parts[i + 1] end
    end
    requests[#requests + 1] = wrk.format(body and "POST" or "GET", parts[1], headers, body)
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"bytes":%d,"failed":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, failed, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
