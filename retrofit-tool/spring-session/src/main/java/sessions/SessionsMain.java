package sessions;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.TreeMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Keeps carts in sessions, changes them and shows them. */
@SpringBootApplication
@RestController
public class SessionsMain {
  /** Starts the program. */
  public static void main(String[] arguments) {
    SpringApplication.run(SessionsMain.class, arguments);
  }

  @EventListener
  void started(ServletWebServerInitializedEvent event) {
    System.out.println("port " + event.getWebServer().getPort());
  }

  /** Begins a session. */
  @GetMapping("/new/{name}")
  public String begin(@PathVariable String name, HttpServletRequest request) {
    HttpSession session = request.getSession(true);
    session.setAttribute("name", name);
    session.setAttribute("cart", Cart.of(name));
    session.setAttribute("visits", 1);
    return show(request);
  }

  /** Puts something into the cart of a session. */
  @GetMapping("/add/{item}")
  public String add(@PathVariable String item, HttpServletRequest request) {
    HttpSession session = session(request);
    Cart cart = (Cart) session.getAttribute("cart");
    cart.add(item);
    session.setAttribute("cart", cart);
    session.setAttribute("visits", (Integer) session.getAttribute("visits") + 1);
    return show(request);
  }

  /** All attributes of a session, in a line. */
  @GetMapping("/show")
  public String show(HttpServletRequest request) {
    HttpSession session = session(request);
    TreeMap<String, Object> all = new TreeMap<>();
    session
        .getAttributeNames()
        .asIterator()
        .forEachRemaining(each -> all.put(each, session.getAttribute(each)));
    return all.toString();
  }

  private static HttpSession session(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    if (session == null) {
      throw new IllegalStateException("the session is lost");
    }
    return session;
  }
}
