package io.karmi.jmx;

import java.io.IOException;
import java.util.Map;
import javax.management.remote.JMXPrincipal;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;

/** A module of a JAAS configuration: every name is let in whose password is "secret". */
public final class NamesLogin implements LoginModule {
  private Subject subject;
  private CallbackHandler asked;
  private String name;

  @Override
  public void initialize(
      Subject subject, CallbackHandler asked, Map<String, ?> shared, Map<String, ?> options) {
    this.subject = subject;
    this.asked = asked;
  }

  @Override
  public boolean login() throws LoginException {
    NameCallback user = new NameCallback("name");
    PasswordCallback password = new PasswordCallback("password", false);
    try {
      asked.handle(new Callback[] {user, password});
    } catch (IOException | UnsupportedCallbackException e) {
      throw new LoginException(e.toString());
    }
    if (!new String(password.getPassword()).equals("secret")) {
      throw new FailedLoginException("not let in");
    }
    name = user.getName();
    return true;
  }

  @Override
  public boolean commit() {
    return subject.getPrincipals().add(new JMXPrincipal(name));
  }

  @Override
  public boolean abort() {
    return true;
  }

  @Override
  public boolean logout() {
    return true;
  }
}
