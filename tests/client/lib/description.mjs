// The description that the service gives of itself.
import { url } from './service.mjs';

export const description = await (await fetch(`${url}/v1/openapi.json`)).json();
