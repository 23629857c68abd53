# One image for the page, the HTTP API, workers and the Chroma server; docs/installing.md says how to run it.
FROM python:3.12-slim-bookworm AS build
WORKDIR /source
RUN python -m venv /opt/ghost
COPY requirements-team.lock ./
RUN /opt/ghost/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-team.lock
COPY . .
RUN /opt/ghost/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps .

FROM python:3.12-slim-bookworm
# The folders give their owner to the volumes that are put there.
RUN groupadd --gid 10001 ghost && useradd --uid 10001 --gid ghost --no-create-home ghost \
    && install -d -o ghost -g ghost /data /index
COPY --from=build /opt/ghost /opt/ghost
# Everything is written to /data and /tmp, so that the rest can be read-only.
ENV PATH=/opt/ghost/bin:$PATH \
    HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    GHOST_DATA_DIR=/data \
    GHOST_HOST=0.0.0.0 \
    GHOST_API_HOST=0.0.0.0 \
    GHOST_OPEN_BROWSER=false
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8501 5000
HEALTHCHECK --interval=30s --timeout=10s --start-period=180s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:5000/api/health', timeout=5); urlopen('http://127.0.0.1:8501/_stcore/health', timeout=5)"]
ENTRYPOINT ["ghost"]
CMD ["up"]
