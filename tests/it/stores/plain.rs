use async_trait::async_trait;
use http_body_util::BodyExt as _;
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderValue};
use hyper_util::rt::TokioIo;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use tokio::net::TcpStream;

/// HTTP without encryption, on a connection of its own for each request.
#[derive(Debug)]
pub(super) struct Plain;

impl HttpConnector for Plain {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(Self))
    }
}

#[async_trait]
impl HttpService for Plain {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let connected = |error| HttpError::new(HttpErrorKind::Connect, error);
        let asked = |error| HttpError::new(HttpErrorKind::Request, error);
        let address = request.uri().authority().unwrap().to_string();
        let path = request.uri().path_and_query().unwrap().clone();
        request.headers_mut().insert(HOST, HeaderValue::from_str(&address).unwrap());
        *request.uri_mut() = path.into();
        let stream = TcpStream::connect(address).await.map_err(connected)?;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(asked)?;
        tokio::spawn(connection);
        let response = sender.send_request(request).await.map_err(asked)?;
        Ok(response.map(|body| HttpResponseBody::new(body.map_err(asked))))
    }
}
