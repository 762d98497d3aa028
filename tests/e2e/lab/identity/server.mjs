// The OpenID-certified provider `oidc-provider`, with two people and one public client, on loopback.
// node server.mjs FOLDER PORT; FOLDER has node_modules. Its own pages for development ask for a login and for consent.
import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, port] = process.argv.slice(2);
const found = createRequire(path.join(folder, 'package.json')).resolve('oidc-provider');
const { Provider } = await import(pathToFileURL(found).href);

const people = {
  ada: { email: 'ada@example.org', email_verified: true, name: 'Ada Example', groups: ['dev', 'sre-oncall'] },
  bob: { email: 'bob@example.org', email_verified: true, name: 'Bob Example', groups: ['dev'] },
};
const key = (type, options, alg) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: alg });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: 'assent-team',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    redirect_uris: ['http://127.0.0.1/callback'],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    id_token_signed_response_alg: 'ES256',
  }],
  jwks: { keys: [key('ec', { namedCurve: 'P-256' }, 'ES256'), key('rsa', { modulusLength: 2048 }, 'RS256')] },
  enabledJWA: { idTokenSigningAlgValues: ['ES256', 'RS256'] },
  features: { deviceFlow: { enabled: true } },
  scopes: ['openid', 'offline_access'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  conformIdTokenClaims: false,
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  findAccount: async (_, id) => people[id] && { accountId: id, claims: async () => ({ sub: id, ...people[id] }) },
  cookies: { keys: ['of a test'] },
});
const server = provider.listen(Number(port), '127.0.0.1', () => console.log(provider.issuer));
process.on('SIGTERM', () => server.close(() => process.exit(0)) && server.closeAllConnections());
