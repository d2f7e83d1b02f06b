-- Hosts of proxies are kept in lower case, as they are looked up: those typed otherwise were never found.
UPDATE site SET proxy_origin = lower(substr(proxy_origin, 1, instr(proxy_origin, '/') - 1)) ||
  substr(proxy_origin, instr(proxy_origin, '/'))
WHERE instr(proxy_origin, '/') > 1 AND
  substr(proxy_origin, 1, instr(proxy_origin, '/')) <> lower(substr(proxy_origin, 1, instr(proxy_origin, '/')));
