#!/bin/sh
# sh deploy/cluster/secrets.sh FOLDER | kubectl apply -f -
#
# Makes an authority and a certificate of the OpenSearch nodes in FOLDER, passwords, an admin token and the key that encrypts the
# secrets of the installation, and prints the secrets that kubernetes.yaml names. Keep FOLDER: ca.key signs the next certificate, and
# without secrets.key neither the installation nor its snapshots can be read. It needs openssl, htpasswd and kubectl.
set -eu
umask 077
folder=${1:?the folder to keep the keys in}
namespace=${2:-aisle}
mkdir -p "$folder"
cd "$folder"
if [ ! -f ca.key ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=aisle cluster CA' \
    -keyout ca.key -out ca.crt 2>/dev/null
fi
cat > names.cnf <<NAMES
subjectAltName = DNS:localhost, IP:127.0.0.1, DNS:opensearch, DNS:opensearch.$namespace.svc, DNS:*.opensearch, DNS:*.opensearch.$namespace.svc, DNS:*.opensearch.$namespace.svc.cluster.local
extendedKeyUsage = serverAuth, clientAuth
NAMES
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=aisle-opensearch' \
  -keyout ec.key -out tls.csr 2>/dev/null
# OpenSearch reads keys in PKCS 8 only.
openssl pkcs8 -topk8 -nocrypt -in ec.key -out tls.key
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 825 -extfile names.cnf -out tls.crt 2>/dev/null
rm -f ec.key tls.csr names.cnf
# Without a newline, which would be part of them.
[ -f password ] || openssl rand -hex 24 | tr -d '\n' > password
[ -f admin-token ] || openssl rand -base64 32 | tr -d '\n' > admin-token
[ -f secrets.key ] || openssl rand -base64 32 > secrets.key
hash=$({ cat password; echo; } | htpasswd -niBC 12 aisle | cut -d: -f2 | tr -d '\n')
cat > internal_users.yml <<USERS
_meta: { type: internalusers, config_version: 2 }
aisle: { hash: '$hash', reserved: true, description: API nodes }
USERS
kubectl create secret generic opensearch-tls --namespace "$namespace" --dry-run=client -o yaml \
  --from-file=ca.crt --from-file=tls.crt --from-file=tls.key
echo ---
kubectl create secret generic opensearch-users --namespace "$namespace" --dry-run=client -o yaml \
  --from-file=internal_users.yml
echo ---
kubectl create secret generic aisle --namespace "$namespace" --dry-run=client -o yaml \
  --from-file=opensearch-password=password --from-file=admin-token --from-file=secrets-key=secrets.key
