package realcode;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;

/** A session of an embedded Tomcat that outlives the server. */
final class Sessions {
  private Sessions() {}

  static Object restart(Path directory) throws Exception {
    Logger.getLogger("org.apache").setLevel(Level.OFF);
    Path stored = directory.resolve("sessions.ser").toAbsolutePath();
    String cookie;
    StringBuilder said = new StringBuilder();
    Tomcat first = start(directory, stored);
    try {
      HttpResponse<String> response = get(first, null);
      said.append(response.body());
      cookie = response.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
      said.append(get(first, cookie).body());
    } finally {
      stop(first);
    }
    said.append(Files.size(stored) > 0 ? "stored " : "lost ");
    Tomcat second = start(directory, stored);
    try {
      said.append(get(second, cookie).body());
    } finally {
      stop(second);
    }
    return said;
  }

  private static Tomcat start(Path directory, Path stored) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setSilent(true);
    tomcat.setBaseDir(directory.resolve("tomcat").toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Files.createDirectories(directory.resolve("tomcat"));
    Context context = tomcat.addContext("", directory.toAbsolutePath().toString());
    StandardManager manager = new StandardManager();
    manager.setPathname(stored.toString());
    context.setManager(manager);
    Tomcat.addServlet(context, "count", new Counter());
    context.addServletMappingDecoded("/", "count");
    tomcat.start();
    return tomcat;
  }

  private static void stop(Tomcat tomcat) throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  private static HttpResponse<String> get(Tomcat tomcat, String cookie) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/");
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static final class Counter extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      HttpSession session = request.getSession();
      Integer count = (Integer) session.getAttribute("count");
      session.setAttribute("count", count == null ? 1 : count + 1);
      if (count == null) {
        session.setAttribute("order", Order.sample());
      }
      Object order = session.getAttribute("order");
      response.getWriter().print(session.getAttribute("count") + ":" + order + " ");
    }
  }
}
