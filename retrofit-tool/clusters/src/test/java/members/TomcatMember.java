package members;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.catalina.Context;
import org.apache.catalina.ha.session.DeltaManager;
import org.apache.catalina.ha.tcp.ReplicationValve;
import org.apache.catalina.ha.tcp.SimpleTcpCluster;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.tribes.Channel;
import org.apache.catalina.tribes.group.GroupChannel;
import org.apache.catalina.tribes.group.interceptors.StaticMembershipInterceptor;
import org.apache.catalina.tribes.group.interceptors.TcpFailureDetector;
import org.apache.catalina.tribes.io.XByteBuffer;
import org.apache.catalina.tribes.membership.StaticMember;
import org.apache.catalina.tribes.transport.nio.NioReceiver;

/** A server with sessions that are replicated; a key is the session, as a browser's cookie. */
final class TomcatMember implements Member {
  private final Tomcat tomcat = new Tomcat();
  private final SimpleTcpCluster cluster;
  private final HttpClient browser = HttpClient.newHttpClient();

  TomcatMember(int own, int other) throws Exception {
    Path directory = Files.createTempDirectory("tomcat");
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", directory.toString());
    context.setDistributable(true);
    Tomcat.addServlet(context, "values", new Values());
    context.addServletMappingDecoded("/", "values");
    cluster = cluster(own, other);
    tomcat.getEngine().setCluster(cluster);
    tomcat.start();
  }

  private static SimpleTcpCluster cluster(int own, int other) throws IOException {
    NioReceiver receiver = new NioReceiver();
    receiver.setAddress("127.0.0.1");
    receiver.setPort(own);
    receiver.setAutoBind(1);
    GroupChannel channel = new GroupChannel();
    channel.setChannelReceiver(receiver);
    channel.addInterceptor(new TcpFailureDetector());
    StaticMembershipInterceptor members = new StaticMembershipInterceptor();
    members.addStaticMember(member(other));
    members.setLocalMember(member(own));
    channel.addInterceptor(members);
    SimpleTcpCluster cluster = new SimpleTcpCluster();
    cluster.setChannel(channel);
    /* Members are named: the multicast service that would find them is not started. */
    cluster.setChannelStartOptions(Channel.SND_RX_SEQ | Channel.SND_TX_SEQ);
    cluster.setChannelSendOptions(
        Channel.SEND_OPTIONS_SYNCHRONIZED_ACK | Channel.SEND_OPTIONS_USE_ACK);
    cluster.setManagerTemplate(new DeltaManager());
    cluster.addValve(new ReplicationValve());
    return cluster;
  }

  private static StaticMember member(int port) throws IOException {
    StaticMember member = new StaticMember("127.0.0.1", port, 0);
    byte[] id = new byte[16];
    id[14] = (byte) (port >> 8);
    id[15] = (byte) port;
    member.setUniqueId(Arrays.toString(id).replace('[', '{').replace(']', '}').replace(" ", ""));
    return member;
  }

  @Override
  public String put(Value value) throws Exception {
    HttpResponse<String> response = ask("none", "put");
    String cookie = response.headers().firstValue("Set-Cookie").orElseThrow();
    return cookie.split("[=;]")[1];
  }

  @Override
  public Object get(String key) throws Exception {
    return ask(key, "get").body();
  }

  @Override
  public void process(String key) throws Exception {
    ask(key, "process");
  }

  @Override
  public boolean isWhole() {
    return cluster.getMembers().length == 1;
  }

  @Override
  public boolean isAlone() {
    return true; // nothing is asked of the one that has ended
  }

  @Override
  public byte[] serialized(Value value) throws IOException {
    return XByteBuffer.serialize(value);
  }

  private HttpResponse<String> ask(String session, String what) throws Exception {
    String uri = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/?do=" + what;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri)).header("Cookie", "JSESSIONID=" + session).build();
    return browser.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private static final class Values extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String what = request.getParameter("do");
      HttpSession session = request.getSession(what.equals("put"));
      Value before = session == null ? null : (Value) session.getAttribute("value");
      if (what.equals("put")) {
        session.setAttribute("value", new Value("value", 1));
      } else if (what.equals("process") && before != null) {
        session.setAttribute("value", before.next());
      }
      response.setCharacterEncoding("UTF-8");
      response.getWriter().print(session == null ? "null" : session.getAttribute("value"));
    }
  }
}
