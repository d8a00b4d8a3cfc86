// Notifications that the test sees: browsers deny real ones in the private windows of tests.
export default () => {
  const shown = (window.notifications = []);
  const fake = { permission: "default", requestPermission: () => Promise.resolve((fake.permission = "granted")) };
  window.Notification = fake;
  ServiceWorkerRegistration.prototype.showNotification = (_, { body }) => Promise.resolve(shown.push(body));
  ServiceWorkerRegistration.prototype.getNotifications = () => Promise.resolve([{ close: () => shown.splice(0) }]);
};
